// dx as a matrix product: filters turned to [C, KRS] times the columns [KRS, NHW] of those dy that each input pixel
// took part in. One product a group. Where MASK, only for positive x: then x is what a ReLU put out.
// @import gemm/quads
// @import conv/problem
// @import common/relu

@group(0) @binding(1) var<storage, read> dy: array<f32>;
@group(0) @binding(2) var<storage, read> w: array<f32>;
@group(0) @binding(3) var<storage, read> x: array<f32>;
@group(0) @binding(4) var<storage, read_write> dx: array<f32>;

const MASK = false;
const KRS = KG * R * S;

fn extent(z: u32) -> vec4u {
  return vec4u(CG, sizes.N * HW, 0u, KRS);
}

fn a_at(z: u32, m: u32, k: u32) -> f32 {
  return select(0.0, w[(z * KG + k / RS) * CRS + m * RS + k % RS], (m < CG) & (k < KRS));
}

fn b_at(z: u32, k: u32, n: u32) -> f32 {
  let image = n / HW;
  let p = output_row(n % HW / W, k % RS / S);
  let q = output_column(n % W, k % S);
  let number = dy[(image * K + z * KG + k / RS) * PQ + p * Q + q];
  return select(0.0, number, (k < KRS) & (image < sizes.N) & (p < P) & (q < Q));
}

fn store(z: u32, m: u32, n: u32, c: vec4f) {
  // @unroll
  for (var i = 0u; i < 4u; i++) {
    let image = (n + i) / HW;
    if (image < sizes.N) {
      let at = (image * C + z * CG + m) * HW + (n + i) % HW;
      var v = c[i];
      if (MASK) { v = relu_gradient(x[at], v); }
      dx[at] = v;
    }
  }
}
