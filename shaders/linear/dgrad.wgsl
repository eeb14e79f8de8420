// dx = dy w, with dy [N, OUT] and w [OUT, IN]; if MASK, only for positive x: then x is the output of a ReLU.
// @import common/number
// @import gemm/quads

struct Sizes { N: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> dy: array<Number>;
@group(0) @binding(2) var<storage, read> w: array<Number>;
@group(0) @binding(3) var<storage, read> x: array<Number>;
@group(0) @binding(4) var<storage, read_write> dx: array<Number>;

const IN = 4u;
const OUT = 4u;
const MASK = false;

fn extent(z: u32) -> vec4u {
  return vec4u(sizes.N, IN, 0u, OUT);
}

fn a_row(z: u32, m: u32) -> u32 {
  return m * OUT;
}

fn a_step(z: u32, k: u32) -> u32 {
  return k;
}

fn a_number(at: u32) -> f32 {
  return f32(dy[at]);
}

fn b_column(z: u32, n: u32) -> vec4u {
  return vec4u(n);
}

fn b_step(z: u32, k: u32) -> vec4u {
  return vec4u(k * IN);
}

fn b_number(column: vec4u, step: vec4u) -> f32 {
  return f32(w[column.x + step.x]);
}

fn store(z: u32, m: u32, n: u32, c: vec4f) {
  // @unroll
  for (var i = 0u; i < 4u; i++) {
    let at = m * IN + n + i;
    if (n + i < IN) {
      var v = c[i];
      if (MASK) { v = relu_gradient(f32(x[at]), v); }
      dx[at] = Number(v);
    }
  }
}

// @import common/relu
