// y as a matrix product: filters [K, CRS] times the columns [CRS, NPQ] that im2col would make, gathered on the way.
// One product a group. Bias and ReLU on the way out.
// @import gemm/quads
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

fn a_at(z: u32, m: u32, k: u32) -> f32 {
  return select(0.0, w[(z * KG + m) * CRS + k], (m < KG) & (k < CRS));
}

fn b_at(z: u32, k: u32, n: u32) -> f32 {
  let image = n / PQ;
  let h = input_row(n % PQ / Q, k % RS / S);
  let column = input_column(n % Q, k % S);
  let number = x[(image * C + z * CG + k / RS) * HW + h * W + column];
  return select(0.0, number, (k < CRS) & (image < sizes.N) & (h < H) & (column < W));
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
