// The gradient of x: each output's gradient is added to the values that the output was computed from.
// @import conv/loops/sizes

@group(0) @binding(0) var<storage, read> dy: array<f32, N * K * PQ>;
@group(0) @binding(1) var<storage, read> w: array<f32, K * CRS>;
@group(0) @binding(2) var<storage, read_write> dx: array<f32, N * C * HW>;

@compute @workgroup_size(1)
fn main() {
  for (var i = 0u; i < N * C * HW; i++) {
    dx[i] = 0.0;
  }
  for (var n = 0u; n < N; n++) {
    for (var k = 0u; k < K; k++) {
      let image = n * C * HW + k / KG * CG * X_CHANNEL;
      let result = n * K * PQ + k * Y_CHANNEL;
      for (var p = 0u; p < P; p++) {
        for (var q = 0u; q < Q; q++) {
          let start = image + window(p, q);
          let gradient = dy[result + (p * Q + q) * Y_PIXEL];
          for (var c = 0u; c < CG; c++) {
            let to = start + c * X_CHANNEL;
            let weights = k * CRS + c * W_CHANNEL;
            // @unroll
            for (var r = 0u; r < R; r++) {
              // @unroll
              for (var s = 0u; s < S; s++) {
                if (inside(p, q, r, s)) {
                  dx[to + step(r, s)] += gradient * w[weights + (r * S + s) * W_PIXEL];
                }
              }
            }
          }
        }
      }
    }
  }
}
