// Matrices divided by their Frobenius norm, a workgroup for each slice: x [matrices, rows, columns to 4], with zeros around
// those that are smaller.
// @import optimizers/muon/matrix
// @import common/step

struct Sizes { rows: u32, columns: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> updates: array<f32>;
@group(0) @binding(2) var<storage, read> matrices: array<Matrix>;
@group(0) @binding(3) var<storage, read> sums: array<f32>;
@group(0) @binding(4) var<storage, read_write> x: array<f32>;

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
  let matrix = matrices[group.y];
  let norm = norm_of(matrix.sums, matrix.slices, local) + step.epsilon;
  let padded = (sizes.columns + 3u) / 4u * 4u;
  let count = sizes.rows * padded;
  let end = min(count, (group.x + 1u) * SLICE);
  for (var i = group.x * SLICE + local; i < end; i += THREADS) {
    let row = i / padded;
    let column = i % padded;
    let inside = row < matrix.rows && column < matrix.columns;
    let place = matrix.offset + select(0u, place_in(matrix, row, column), inside);
    x[group.y * count + i] = select(0.0, updates[place] / norm, inside);
  }
}
