// Kernels of two passes, which add up the slices themselves: a workgroup computes one of PARTS ranges of ACROSS columns, after
// adding up the slices of those. The importing file has sizes.N and
//
//   fn prepared(column: u32, thread: u32, part: u32) -> Prepared   what is the same for a column's pieces; all threads call it
//   fn value(i: u32, known: Prepared) -> Piece                     piece i
//   fn store(i: u32, v: Piece)
// @import batch_norm/slices

const PARTS = 1u;
const EACH = 4u; // pieces that a thread computes before it stores the first

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let item = group.y * groups.x + group.x;
  if (item >= BLOCKS * PARTS) { return; }
  let column = item % BLOCKS * ACROSS + thread % ACROSS;
  let part = item / BLOCKS;
  let known = prepared(column, thread, part);
  if (column >= COLUMNS) { return; }
  let own = turns(range_of(sizes.N, part, PARTS), thread);
  for (var i = own.first; i < own.end; i += own.step * EACH) {
    var values: array<Piece, EACH>;
    // @unroll
    for (var j = 0u; j < EACH; j++) {
      values[j] = value(piece_at(min(i + j * own.step, own.end - 1u), column), known);
    }
    // @unroll
    for (var j = 0u; j < EACH; j++) {
      if (i + j * own.step < own.end) {
        store(piece_at(i + j * own.step, column), values[j]);
      }
    }
  }
}
