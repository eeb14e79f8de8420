// y as a matrix product: filters [K, CRS] times the columns [CRS, NPQ] that im2col would make, gathered on the way.
// One product a group. Bias and ReLU on the way out.
// @import gemm/quads
// @import conv/problem
// @import common/relu

@group(0) @binding(1) var<storage, read> x: array<Number>;
@group(0) @binding(2) var<storage, read> w: array<Number>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read_write> y: array<Number>;

const HAS_BIAS = false;
const RELU = false;

fn extent(z: u32) -> vec4u {
  return vec4u(KG, sizes.N * PQ, 0u, CRS);
}

fn a_row(z: u32, m: u32) -> u32 {
  return (z * KG + m) * CRS;
}

fn a_step(z: u32, k: u32) -> u32 {
  return k;
}

fn a_number(at: u32) -> f32 {
  return f32(w[at]);
}

// An output pixel: where its image's channels begin, and the input row and column that its window begins at.
fn b_column(z: u32, n: u32) -> vec4u {
  return vec4u((n / PQ * C + z * CG) * HW, input_row(n % PQ / Q, 0u), input_column(n % Q, 0u), 0u);
}

// A filter position: where its channel begins, and how far down and right of the window's start it is.
fn b_step(z: u32, k: u32) -> vec4u {
  return vec4u(k / RS * HW, k % RS / S * DILATION_V, k % S * DILATION_H, 0u);
}

fn b_number(column: vec4u, step: vec4u) -> f32 {
  let at = column + step; // channel, row, column
  return select(0.0, f32(x[at.x + at.y * W + at.z]), (at.y < H) & (at.z < W));
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
      y[(image * K + k) * PQ + (n + i) % PQ] = Number(v);
    }
  }
}
