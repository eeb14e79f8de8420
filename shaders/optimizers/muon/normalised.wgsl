// Matrices divided by their Frobenius norm, one workgroup each: x [matrices, rows, columns to 4]. If TRANSPOSED, `updates`
// holds [columns, rows].
// @import common/shared_sum
// @import common/step

struct Sizes { rows: u32, columns: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> updates: array<f32>;
@group(0) @binding(2) var<storage, read> offsets: array<u32>; // of each matrix in `updates`
@group(0) @binding(3) var<storage, read_write> x: array<f32>;

const TRANSPOSED = false;

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
  let first = offsets[group.x];
  let count = sizes.rows * sizes.columns;
  var sum = 0.0;
  for (var i = local; i < count; i += THREADS) { sum += updates[first + i] * updates[first + i]; }
  let norm = sqrt(shared_sum(sum, local)) + step.epsilon;
  let padded = (sizes.columns + 3u) / 4u * 4u;
  for (var i = local; i < count; i += THREADS) {
    var at = i / sizes.columns * padded + i % sizes.columns;
    if (TRANSPOSED) { at = i % sizes.rows * padded + i / sizes.rows; }
    x[group.x * sizes.rows * padded + at] = updates[first + i] / norm;
  }
}
