// One thread per output: walks over its filter's channels, rows and columns.
// @import common/index
// @import common/relu
// @import conv/problem

@group(0) @binding(1) var<storage, read> x: array<Number>;
@group(0) @binding(2) var<storage, read> w: array<Number>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read_write> y: array<Number>;

const HAS_BIAS = false;
const RELU = false;

@compute @workgroup_size(64)
fn main(invocation: Invocation) {
  let i = item_index(invocation, 64u);
  let image = i / (K * PQ);
  if (image >= sizes.N) {
    return;
  }
  // Neighbouring threads compute neighbours in memory.
  let k = i / Y_CHANNEL % K;
  let pixel = i / Y_PIXEL % PQ;
  let p = pixel / Q;
  let q = pixel % Q;
  var sum = 0.0;
  var total = 0.0;
  for (var c = 0u; c < CG; c++) {
    let plane = image * C * HW + (k / KG * CG + c) * X_CHANNEL;
    var part = 0.0; // one channel's sum: long sums lose less precision
    for (var r = 0u; r < R; r++) {
      let h = input_row(p, r);
      if (h >= H) {
        continue;
      }
      for (var s = 0u; s < S; s++) {
        let column = input_column(q, s);
        if (column < W) {
          part += f32(w[k * CRS + c * W_CHANNEL + (r * S + s) * W_PIXEL]) * f32(x[plane + (h * W + column) * X_PIXEL]);
        }
      }
    }
    sum += part;
    if (c % CHANNEL_SPAN == CHANNEL_SPAN - 1u) {
      total += sum;
      sum = 0.0;
    }
  }
  sum += total;
  if (HAS_BIAS) { sum += bias[k]; }
  if (RELU) { sum = relu(sum); }
  y[i] = Number(sum);
}
