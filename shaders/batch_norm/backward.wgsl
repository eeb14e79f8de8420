// dx = weight / deviation (dy - db / n - z dw / n), where z is x normalised and n the values per channel: the mean and
// the variance depend on x too. If MASK, only for positive x: then x is the output of a ReLU. One thread per piece.
// @import batch_norm/slices

struct Sizes { count: u32, N: u32 } // pieces, images
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> x: array<Stored>;
@group(0) @binding(2) var<storage, read> dy: array<Stored>;
@group(0) @binding(3) var<storage, read> mean: array<f32>;
@group(0) @binding(4) var<storage, read> variance: array<f32>;
@group(0) @binding(5) var<storage, read> weight: array<f32>;
@group(0) @binding(6) var<storage, read> dw: array<f32>;
@group(0) @binding(7) var<storage, read> db: array<f32>;
@group(0) @binding(8) var<storage, read_write> dx: array<Stored>;

const EPS = 0.00001;
const MASK = false;

@compute @workgroup_size(64)
fn main(invocation: Invocation) {
  let i = item_index(invocation, 64u);
  if (i >= sizes.count) { return; }
  let channel = i / PIECES % C;
  let n = f32(sizes.N * PLANE);
  let deviation = sqrt(variance[channel] + EPS);
  let normalised = (Piece(x[i]) - Piece(mean[channel])) / deviation;
  let rest = Piece(dy[i]) - Piece(db[channel] / n) - normalised * (dw[channel] / n);
  var gradient = rest * (weight[channel] / deviation);
  if (MASK) {
    gradient = select(gradient, Piece(0.0), Piece(x[i]) <= Piece(0.0));
  }
  dx[i] = Stored(gradient);
}
