// dx = weight / deviation (dy - db / n - z dw / n), where z is x normalised and n the values per channel: the mean and
// the variance depend on x too. If MASK, only for positive x: then x is the output of a ReLU.
// @import batch_norm/slices

struct Sizes { count: u32, N: u32 } // pieces, images
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> x: array<Stored>;
@group(0) @binding(2) var<storage, read> dy: array<Stored>;
@group(0) @binding(3) var<storage, read> statistics: array<Column>; // mean, variance, unbiased variance
@group(0) @binding(4) var<storage, read> weight: array<Column>;
@group(0) @binding(5) var<storage, read> dw: array<Column>;
@group(0) @binding(6) var<storage, read> db: array<Column>;
@group(0) @binding(7) var<storage, read_write> dx: array<Stored>;

const EPS = 0.00001;
const MASK = false;

// What is the same for all of a column's pieces: `dw` and `db` are divided by n.
struct Prepared { mean: Column, deviation: Column, dw: Column, db: Column, scale: Column }

fn prepared_for(column: u32, dw_sum: Column, db_sum: Column) -> Prepared {
  let n = f32(sizes.N * PLANE);
  let deviation = sqrt(statistics[COLUMNS + column] + EPS);
  return Prepared(statistics[column], deviation, dw_sum / n, db_sum / n, weight[column] / deviation);
}

fn input_gradient(i: u32, known: Prepared) -> Piece {
  let normalised = (Piece(x[i]) - Piece(known.mean)) / known.deviation;
  let rest = Piece(dy[i]) - Piece(known.db) - normalised * known.dw;
  var gradient = rest * known.scale;
  if (MASK) {
    gradient = select(gradient, Piece(0.0), Piece(x[i]) <= Piece(0.0));
  }
  return gradient;
}

fn store(i: u32, v: Piece) {
  dx[i] = Stored(v);
}
