// The last pass of Muon, a workgroup for each slice of a matrix: the step along x [matrices, ROWS, COLUMNS to 4]. If
// TRANSPOSED, `parameters` hold [COLUMNS, ROWS].
// @import optimizers/muon/norms
// @import optimizers/update

@group(0) @binding(4) var<storage, read> x: array<f32>;
@group(0) @binding(5) var<storage, read> offsets: array<u32>; // of each matrix in `parameters`
@group(0) @binding(6) var<storage, read> sums: array<f32>;

const ROWS = 1u;
const COLUMNS = 1u;
const TRANSPOSED = false;
const ADJUSTMENT = 1.0; // factor of the learning rate
// A matrix is first rescaled to this norm, if it is not 0; else it decays.
const NORM = 0.0;
const FIRST = 0u; // of these matrices' sums

const COUNT = ROWS * COLUMNS;
const PADDED = (COLUMNS + 3u) / 4u * 4u;

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
  let first = offsets[group.y];
  var factor = 1.0 - learning_rate(first) * weight_decay(first);
  if (NORM > 0.0) {
    factor = NORM / norm_of(FIRST + group.y * SLICES, local);
  }
  let along = learning_rate(first) * ADJUSTMENT;
  if (is_skipped(first) || along == 0.0) { return; }
  let end = min(COUNT, (group.x + 1u) * SLICE);
  for (var i = group.x * SLICE + local; i < end; i += THREADS) {
    var at = i / COLUMNS * PADDED + i % COLUMNS;
    if (TRANSPOSED) { at = i % ROWS * PADDED + i / ROWS; }
    let parameter = factor * parameters[first + i] - along * x[group.y * ROWS * PADDED + at];
    parameters[first + i] = parameter;
    watch(first + i, 0.0, parameter);
  }
}
