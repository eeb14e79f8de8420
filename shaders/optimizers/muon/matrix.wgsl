// A matrix of the parameters, and its norm from the sums of squares of its slices: see optimizers/muon/squares.
// @import common/shared_sum

struct Matrix {
  offset: u32, // in the parameters
  rows: u32, // as it is computed: no more rows than columns
  columns: u32,
  transposed: u32, // whether the parameters are [columns, rows]
  sums: u32, // the first of its sums of squares
  slices: u32, // and how many there are
  adjustment: f32, // factor of the learning rate
  norm: f32, // to which the parameters are rescaled first, if they are
}

const SLICE = 2048u; // values that a workgroup reads

// Where the value in a row and a column is, after the matrix's first.
fn place_in(matrix: Matrix, row: u32, column: u32) -> u32 {
  return select(row * matrix.columns + column, column * matrix.rows + row, matrix.transposed == 1u);
}

// @param first the first of the sums
fn norm_of(first: u32, slices: u32, thread: u32) -> f32 {
  var sum = 0.0;
  for (var i = thread; i < slices; i += THREADS) { sum += sums[first + i]; }
  return sqrt(shared_sum(sum, thread));
}
