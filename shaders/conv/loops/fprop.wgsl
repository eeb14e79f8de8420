// The forward pass: a local sum for each output.
// @import conv/loops/sizes

@group(0) @binding(0) var<storage, read> x: array<f32, N * C * HW>;
@group(0) @binding(1) var<storage, read> w: array<f32, K * CRS>;
@group(0) @binding(2) var<storage, read_write> y: array<f32, N * K * PQ>;

@compute @workgroup_size(1)
fn main() {
  for (var n = 0u; n < N; n++) {
    for (var k = 0u; k < K; k++) {
      let image = n * C * HW + k / KG * CG * X_CHANNEL;
      let result = n * K * PQ + k * Y_CHANNEL;
      for (var p = 0u; p < P; p++) {
        for (var q = 0u; q < Q; q++) {
          let start = image + window(p, q);
          var sum = 0.0;
          for (var c = 0u; c < CG; c++) {
            let first = start + c * X_CHANNEL;
            let weights = k * CRS + c * W_CHANNEL;
            // @unroll
            for (var r = 0u; r < R; r++) {
              // @unroll
              for (var s = 0u; s < S; s++) {
                if (inside(p, q, r, s)) {
                  sum += x[first + step(r, s)] * w[weights + (r * S + s) * W_PIXEL];
                }
              }
            }
          }
          y[result + (p * Q + q) * Y_PIXEL] = sum;
        }
      }
    }
  }
}
