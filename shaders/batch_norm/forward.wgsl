// y = (x - mean) / sqrt(variance + EPS) weight + bias, by channel, and if RELU max(y, 0). One thread per piece.
// @import batch_norm/slices

struct Sizes { count: u32 } // pieces
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> x: array<Stored>;
@group(0) @binding(2) var<storage, read> mean: array<f32>;
@group(0) @binding(3) var<storage, read> variance: array<f32>;
@group(0) @binding(4) var<storage, read> weight: array<f32>;
@group(0) @binding(5) var<storage, read> bias: array<f32>;
@group(0) @binding(6) var<storage, read_write> y: array<Stored>;

const EPS = 0.00001;
const RELU = false;

@compute @workgroup_size(64)
fn main(invocation: Invocation) {
  let i = item_index(invocation, 64u);
  if (i >= sizes.count) { return; }
  let channel = i / PIECES % C;
  let scale = weight[channel] / sqrt(variance[channel] + EPS);
  var value = (Piece(x[i]) - Piece(mean[channel])) * scale + Piece(bias[channel]);
  if (RELU) {
    // Preserves NaN, as common/relu.
    value = select(value, Piece(0.0), value <= Piece(0.0));
  }
  y[i] = Stored(value);
}
