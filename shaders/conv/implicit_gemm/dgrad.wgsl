// dx as a matrix product: filters turned to [C, KRS] times the columns [KRS, NHW] of those dy that each input pixel
// took part in. One product a group. Where MASK, only for positive x: then x is what a ReLU put out.
// @import gemm/tile
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

fn load_a(z: u32, m: u32, k: u32) -> vec4f {
  var v: vec4f;
  if (m < CG) {
    // @unroll
    for (var i = 0u; i < 4u; i++) {
      if (k + i < KRS) { v[i] = w[(z * KG + (k + i) / RS) * CRS + m * RS + (k + i) % RS]; }
    }
  }
  return v;
}

fn load_b(z: u32, k: u32, n: u32) -> vec4f {
  var v: vec4f;
  if (k >= KRS) {
    return v;
  }
  let filter_ = z * KG + k / RS;
  let r = k % RS / S;
  let s = k % S;
  // @unroll
  for (var i = 0u; i < 4u; i++) {
    let image = (n + i) / HW;
    let p = output_row((n + i) % HW / W, r);
    let q = output_column((n + i) % W, s);
    if (image < sizes.N && p < P && q < Q) {
      v[i] = dy[(image * K + filter_) * PQ + p * Q + q];
    }
  }
  return v;
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
