// The gradient of the input, from slices of the sums that are those of weight and bias: dw and db are [SLICES, C].
// @import batch_norm/input_gradient
// @import batch_norm/parts

fn prepared(column: u32, thread: u32, part: u32) -> Prepared {
  let own = turns(vec2u(0u, SLICES), thread);
  var products = Column();
  var sum = Column();
  for (var slice = own.first; slice < own.end; slice += own.step) {
    products += dw[slice * COLUMNS + column];
    sum += db[slice * COLUMNS + column];
  }
  products = shared_sum(products, thread);
  sum = shared_sum(sum, thread);
  return prepared_for(column, products, sum);
}

fn value(i: u32, known: Prepared) -> Piece {
  return input_gradient(i, known);
}
