// dx = dy w, with dy [N, OUT] and w [OUT, IN]; where MASK, only for positive x: then x is what a ReLU put out.
// @import gemm/quads

struct Sizes { N: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> dy: array<f32>;
@group(0) @binding(2) var<storage, read> w: array<f32>;
@group(0) @binding(3) var<storage, read> x: array<f32>;
@group(0) @binding(4) var<storage, read_write> dx: array<f32>;

const IN = 4u;
const OUT = 4u;
const MASK = false;

fn extent(z: u32) -> vec4u {
  return vec4u(sizes.N, IN, 0u, OUT);
}

fn a_at(z: u32, m: u32, k: u32) -> f32 {
  return select(0.0, dy[m * OUT + k], (m < sizes.N) & (k < OUT));
}

fn b_at(z: u32, k: u32, n: u32) -> f32 {
  return select(0.0, w[k * IN + n], (k < OUT) & (n < IN));
}

fn store(z: u32, m: u32, n: u32, c: vec4f) {
  // @unroll
  for (var i = 0u; i < 4u; i++) {
    let at = m * IN + n + i;
    if (n + i < IN) {
      var v = c[i];
      if (MASK) { v = relu_gradient(x[at], v); }
      dx[at] = v;
    }
  }
}

// @import common/relu
