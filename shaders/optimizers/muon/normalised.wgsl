// Matrices divided by their Frobenius norm, a workgroup for each slice: x [matrices, rows, columns to 4]. If TRANSPOSED,
// `updates` holds [columns, rows].
// @import optimizers/muon/norms
// @import common/step

struct Sizes { rows: u32, columns: u32, first: u32 } // first: the first sum of these matrices
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> updates: array<f32>;
@group(0) @binding(2) var<storage, read> offsets: array<u32>; // of each matrix in `updates`
@group(0) @binding(3) var<storage, read> sums: array<f32>;
@group(0) @binding(4) var<storage, read_write> x: array<f32>;

const TRANSPOSED = false;

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
  let first = offsets[group.y];
  let norm = norm_of(sizes.first + group.y * SLICES, local) + step.epsilon;
  let padded = (sizes.columns + 3u) / 4u * 4u;
  let end = min(sizes.rows * sizes.columns, (group.x + 1u) * SLICE);
  for (var i = group.x * SLICE + local; i < end; i += THREADS) {
    var at = i / sizes.columns * padded + i % sizes.columns;
    if (TRANSPOSED) { at = i % sizes.rows * padded + i / sizes.rows; }
    x[group.y * sizes.rows * padded + at] = updates[first + i] / norm;
  }
}
