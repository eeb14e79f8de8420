// The gradient of w: a local sum for each weight, over all outputs of its filter.
// @import conv/loops/sizes

@group(0) @binding(0) var<storage, read> dy: array<f32, N * K * PQ>;
@group(0) @binding(1) var<storage, read> x: array<f32, N * C * HW>;
@group(0) @binding(2) var<storage, read_write> dw: array<f32, K * CRS>;

@compute @workgroup_size(1)
fn main() {
  for (var k = 0u; k < K; k++) {
    for (var c = 0u; c < CG; c++) {
      let channel = (k / KG * CG + c) * X_CHANNEL;
      for (var r = 0u; r < R; r++) {
        for (var s = 0u; s < S; s++) {
          var sum = 0.0;
          for (var n = 0u; n < N; n++) {
            let first = n * C * HW + channel + step(r, s);
            let result = n * K * PQ + k * Y_CHANNEL;
            for (var p = 0u; p < P; p++) {
              for (var q = 0u; q < Q; q++) {
                if (inside(p, q, r, s)) {
                  sum += dy[result + (p * Q + q) * Y_PIXEL] * x[first + window(p, q)];
                }
              }
            }
          }
          dw[k * CRS + c * W_CHANNEL + (r * S + s) * W_PIXEL] = sum;
        }
      }
    }
  }
}
