// One thread per input pixel: walks over the filters and filter positions that read it. If MASK, only for positive x:
// then x is the output of a ReLU.
// @import common/index
// @import common/relu
// @import conv/problem

@group(0) @binding(1) var<storage, read> dy: array<Number>;
@group(0) @binding(2) var<storage, read> w: array<Number>;
@group(0) @binding(3) var<storage, read> x: array<Number>;
@group(0) @binding(4) var<storage, read_write> dx: array<Number>;

const MASK = false;

@compute @workgroup_size(64)
fn main(invocation: Invocation) {
  let i = item_index(invocation, 64u);
  let image = i / (C * HW);
  if (image >= sizes.N) {
    return;
  }
  // Neighbouring threads compute neighbours in memory.
  let c = i / X_CHANNEL % C;
  let pixel = i / X_PIXEL % HW;
  let h = pixel / W;
  let column = pixel % W;
  let first = c / CG * KG;
  var sum = 0.0;
  var total = 0.0;
  for (var k = first; k < first + KG; k++) {
    let plane = image * K * PQ + k * Y_CHANNEL;
    let weights = k * CRS + c % CG * W_CHANNEL;
    var part = 0.0; // one filter's sum: long sums lose less precision
    for (var r = 0u; r < R; r++) {
      let p = output_row(h, r);
      if (p >= P) {
        continue;
      }
      for (var s = 0u; s < S; s++) {
        let q = output_column(column, s);
        if (q < Q) {
          part += f32(w[weights + (r * S + s) * W_PIXEL]) * f32(dy[plane + (p * Q + q) * Y_PIXEL]);
        }
      }
    }
    sum += part;
    if ((k - first) % CHANNEL_SPAN == CHANNEL_SPAN - 1u) {
      total += sum;
      sum = 0.0;
    }
  }
  sum += total;
  if (MASK) { sum = relu_gradient(f32(x[i]), sum); }
  dx[i] = Number(sum);
}
