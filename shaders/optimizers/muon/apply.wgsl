// The last pass of Muon, a workgroup for each slice of a matrix: the step along x [matrices, ROWS, COLUMNS to 4], in which
// smaller matrices are padded.
// @import optimizers/muon/matrix
// @import optimizers/update

@group(0) @binding(4) var<storage, read> x: array<f32>;
@group(0) @binding(5) var<storage, read> matrices: array<Matrix>;
@group(0) @binding(6) var<storage, read> sums: array<f32>;

const ROWS = 1u;
const COLUMNS = 1u;
const PADDED = (COLUMNS + 3u) / 4u * 4u;
// Whether a matrix is first rescaled to its norm, if that is not 0; else it decays.
const RESCALE = false;
const FIRST = 0u; // where the sums of squares of parameters start

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
  let matrix = matrices[group.y];
  let first = matrix.offset;
  var factor = 1.0 - learning_rate(first) * weight_decay(first);
  if (RESCALE) {
    factor = matrix.norm / norm_of(FIRST + matrix.sums, matrix.slices, local);
  }
  let along = learning_rate(first) * matrix.adjustment;
  if (is_skipped(first) || along == 0.0) { return; }
  let end = min(matrix.rows * matrix.columns, (group.x + 1u) * SLICE);
  for (var i = group.x * SLICE + local; i < end; i += THREADS) {
    let row = i / matrix.columns;
    let column = i % matrix.columns;
    let place = first + place_in(matrix, row, column);
    let parameter = factor * parameters[place] - along * x[(group.y * ROWS + row) * PADDED + column];
    parameters[place] = parameter;
    watch(place, 0.0, parameter);
  }
}
