// y = a + b; one thread per piece. If RELU, max(y, 0); if MASK, 0 unless z is positive: then y is a gradient, and z is
// the output of a ReLU. Both preserve NaN, as in common/relu.
// @import common/index

struct Sizes { count: u32 } // pieces
alias Piece = f32; // or four of them
alias Stored = f32; // a piece as it is stored: in 32 bits, or in 16
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> a: array<Stored>;
@group(0) @binding(2) var<storage, read> b: array<Stored>;
@group(0) @binding(3) var<storage, read> z: array<Stored>;
@group(0) @binding(4) var<storage, read_write> y: array<Stored>;

const RELU = false;
const MASK = false;

@compute @workgroup_size(64)
fn main(invocation: Invocation) {
  let i = item_index(invocation, 64u);
  if (i >= sizes.count) { return; }
  var sum = Piece(a[i]) + Piece(b[i]);
  if (RELU) {
    sum = select(sum, Piece(0.0), sum <= Piece(0.0));
  }
  if (MASK) {
    sum = select(sum, Piece(0.0), Piece(z[i]) <= Piece(0.0));
  }
  y[i] = Stored(sum);
}
