// y = x w^T + bias, with x [N, IN] and w [OUT, IN].
// @import common/number
// @import gemm/quads

struct Sizes { N: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> x: array<Number>;
@group(0) @binding(2) var<storage, read> w: array<Number>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read_write> y: array<Number>;

const IN = 4u;
const OUT = 4u;
const HAS_BIAS = true;
const RELU = false;

fn extent(z: u32) -> vec4u {
  return vec4u(sizes.N, OUT, 0u, IN);
}

fn a_row(z: u32, m: u32) -> u32 {
  return m * IN;
}

fn a_step(z: u32, k: u32) -> u32 {
  return k;
}

fn a_number(at: u32) -> f32 {
  return f32(x[at]);
}

fn b_column(z: u32, n: u32) -> vec4u {
  return vec4u(n * IN);
}

fn b_step(z: u32, k: u32) -> vec4u {
  return vec4u(k);
}

fn b_number(column: vec4u, step: vec4u) -> f32 {
  return f32(w[column.x + step.x]);
}

fn store(z: u32, m: u32, n: u32, c: vec4f) {
  // @unroll
  for (var i = 0u; i < 4u; i++) {
    if (n + i < OUT) {
      var v = c[i];
      if (HAS_BIAS) { v += bias[n + i]; }
      if (RELU) { v = relu(v); }
      y[m * OUT + n + i] = Number(v);
    }
  }
}

// @import common/relu
