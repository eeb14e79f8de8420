// The seven loops of a convolution: one invocation computes everything.
// Each test sets these sizes: x is [N, C, H, W], w is [K, C, R, S], y is [N, K, P, Q].
const N = 1u;
const C = 1u;
const H = 1u;
const W = 1u;
const K = 1u;
const R = 1u;
const S = 1u;
const P = 1u;
const Q = 1u;
const STRIDE = 1u;
const PADDING = 0u;

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> w: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(1)
fn main() {
  for (var n = 0u; n < N; n++) {
    for (var k = 0u; k < K; k++) {
      for (var p = 0u; p < P; p++) {
        for (var q = 0u; q < Q; q++) {
          var sum = 0.0;
          for (var c = 0u; c < C; c++) {
            for (var r = 0u; r < R; r++) {
              for (var s = 0u; s < S; s++) {
                // Above and left of the image these wrap around to huge numbers, so that one comparison is enough.
                let row = p * STRIDE + r - PADDING;
                let column = q * STRIDE + s - PADDING;
                if (row < H && column < W) {
                  sum += x[((n * C + c) * H + row) * W + column] * w[((k * C + c) * R + r) * S + s];
                }
              }
            }
          }
          y[((n * K + k) * P + p) * Q + q] = sum;
        }
      }
    }
  }
}
