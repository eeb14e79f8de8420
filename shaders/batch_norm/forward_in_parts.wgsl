// The output, from the moments of slices, and the statistics: batch_norm/statistics and batch_norm/forward in one.
// @import batch_norm/output
// @import batch_norm/combine
// @import batch_norm/parts

@group(0) @binding(6) var<storage, read> moments: array<Column>; // [2, SLICES, C]
@group(0) @binding(7) var<storage, read_write> statistics: array<Column>; // [3, C]: mean, variance, unbiased variance

// The first value of each channel of a column.
fn first_of(column: u32) -> Column {
  let first = Piece(x[piece_at(0u, column)]);
  if (CHANNELS_LAST) {
    return first;
  } else {
    return vec4f(first).x;
  }
}

fn prepared(column: u32, thread: u32, part: u32) -> Prepared {
  let found = combined(sizes.N, column, thread);
  let mean = first_of(column) + found.center;
  let count = f32(sizes.N * PLANE);
  let variance = found.squares / count;
  if (part == 0u && thread < ACROSS && column < COLUMNS) {
    statistics[column] = mean;
    statistics[COLUMNS + column] = variance;
    statistics[2u * COLUMNS + column] = found.squares / (count - 1.0);
  }
  return prepared_for(column, mean, variance);
}

fn value(i: u32, known: Prepared) -> Piece {
  return output(i, known);
}
