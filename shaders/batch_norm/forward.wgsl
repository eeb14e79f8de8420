// y = (x - mean) / sqrt(variance + EPS) weight + bias, by channel, if ADDED plus `addend`, and if RELU max(y, 0).
// @import batch_norm/slices
// @import common/elements

struct Sizes { count: u32 } // pieces
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> x: array<Stored>;
@group(0) @binding(2) var<storage, read> mean: array<Column>;
@group(0) @binding(3) var<storage, read> variance: array<Column>;
@group(0) @binding(4) var<storage, read> weight: array<Column>;
@group(0) @binding(5) var<storage, read> bias: array<Column>;
@group(0) @binding(6) var<storage, read_write> y: array<Stored>;
@group(0) @binding(7) var<storage, read> addend: array<Stored>;

const EPS = 0.00001;
const RELU = false;
const ADDED = false;
const TOGETHER = false; // whether `mean` and `variance` are the same memory: mean, then variance
const VARIANCE = select(0u, COLUMNS, TOGETHER);

fn value(i: u32) -> Piece {
  let column = column_of(i);
  let scale = weight[column] / sqrt(variance[VARIANCE + column] + EPS);
  var v = (Piece(x[i]) - Piece(mean[column])) * scale + Piece(bias[column]);
  if (ADDED) {
    v += Piece(addend[i]);
  }
  if (RELU) {
    // Preserves NaN, as common/relu.
    v = select(v, Piece(0.0), v <= Piece(0.0));
  }
  return v;
}

fn store(i: u32, v: Piece) {
  y[i] = Stored(v);
}
