// The output, from statistics.
// @import batch_norm/output
// @import common/elements

@group(0) @binding(6) var<storage, read> mean: array<Column>;
@group(0) @binding(7) var<storage, read> variance: array<Column>;

const TOGETHER = false; // whether `mean` and `variance` are the same memory: mean, then variance
const VARIANCE = select(0u, COLUMNS, TOGETHER);

fn value(i: u32) -> Piece {
  let column = column_of(i);
  return output(i, prepared_for(column, mean[column], variance[VARIANCE + column]));
}
