// Norms of matrices, from the sums of squares of their SLICES: see optimizers/muon/squares.
// @import common/shared_sum

const SLICES = 1u;
const SLICE = 2048u; // values of a slice

// @param first the first of the matrix's sums
fn norm_of(first: u32, thread: u32) -> f32 {
  var sum = 0.0;
  for (var i = thread; i < SLICES; i += THREADS) { sum += sums[first + i]; }
  return sqrt(shared_sum(sum, thread));
}
