// The gradient of the input, from those of weight and bias.
// @import batch_norm/input_gradient
// @import common/elements

fn value(i: u32) -> Piece {
  let column = column_of(i);
  return input_gradient(i, prepared_for(column, dw[column], db[column]));
}
