// y = (x - mean) / sqrt(variance + EPS) weight + bias, by channel, if ADDED plus `addend`, and if RELU max(y, 0).
// @import batch_norm/slices

struct Sizes { count: u32, N: u32 } // pieces, images
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> x: array<Stored>;
@group(0) @binding(2) var<storage, read> weight: array<Column>;
@group(0) @binding(3) var<storage, read> bias: array<Column>;
@group(0) @binding(4) var<storage, read_write> y: array<Stored>;
@group(0) @binding(5) var<storage, read> addend: array<Stored>;

const EPS = 0.00001;
const RELU = false;
const ADDED = false;

// What is the same for all of a column's pieces.
struct Prepared { mean: Column, scale: Column, bias: Column }

fn prepared_for(column: u32, mean: Column, variance: Column) -> Prepared {
  return Prepared(mean, weight[column] / sqrt(variance + EPS), bias[column]);
}

fn output(i: u32, known: Prepared) -> Piece {
  var v = (Piece(x[i]) - Piece(known.mean)) * known.scale + Piece(known.bias);
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
