// y as a matrix product: filters [K, CRS] times the columns [CRS, NPQ] that im2col would make, gathered on the way.
// One product a group. Bias and ReLU on the way out.
// @import gemm/tile
// @import conv/problem
// @import common/relu

@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> w: array<f32>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read_write> y: array<f32>;

const HAS_BIAS = false;
const RELU = false;

fn extent(z: u32) -> vec4u {
  return vec4u(KG, sizes.N * PQ, 0u, CRS);
}

fn load_a(z: u32, m: u32, k: u32) -> vec4f {
  var v: vec4f;
  if (m < KG) {
    let at = (z * KG + m) * CRS + k;
    // @unroll
    for (var i = 0u; i < 4u; i++) {
      if (k + i < CRS) { v[i] = w[at + i]; }
    }
  }
  return v;
}

fn load_b(z: u32, k: u32, n: u32) -> vec4f {
  var v: vec4f;
  if (k >= CRS) {
    return v;
  }
  let c = z * CG + k / RS;
  let r = k % RS / S;
  let s = k % S;
  // @unroll
  for (var i = 0u; i < 4u; i++) {
    let image = (n + i) / PQ;
    let h = input_row((n + i) % PQ / Q, r);
    let column = input_column((n + i) % Q, s);
    if (image < sizes.N && h < H && column < W) {
      v[i] = x[(image * C + c) * HW + h * W + column];
    }
  }
  return v;
}

fn store(z: u32, m: u32, n: u32, c: vec4f) {
  let k = z * KG + m;
  // @unroll
  for (var i = 0u; i < 4u; i++) {
    let image = (n + i) / PQ;
    if (image < sizes.N) {
      var v = c[i];
      if (HAS_BIAS) { v += bias[k]; }
      if (RELU) { v = relu(v); }
      y[(image * K + k) * PQ + (n + i) % PQ] = v;
    }
  }
}
