// dw as a matrix product: dy [K, NPQ] times the rows [NPQ, CRS] of inputs that each filter weight met; db by one more
// column, of ones. The long sum over NPQ is cut into SLICES; z counts slices within groups, and slice s goes to slice s
// of dw and db.
// @import gemm/tile
// @import gemm/slices
// @import conv/problem

@group(0) @binding(1) var<storage, read> dy: array<f32>;
@group(0) @binding(2) var<storage, read> x: array<f32>;
@group(0) @binding(3) var<storage, read_write> dw: array<f32>;
@group(0) @binding(4) var<storage, read_write> db: array<f32>;

const HAS_BIAS = false;
const COLUMNS = CRS + select(0u, 1u, HAS_BIAS);

fn extent(z: u32) -> vec4u {
  return vec4u(KG, COLUMNS, slice_range(sizes.N * PQ, z % SLICES));
}

fn load_a(z: u32, m: u32, k: u32) -> vec4f {
  var v: vec4f;
  if (m < KG) {
    let filter_ = z / SLICES * KG + m;
    // @unroll
    for (var i = 0u; i < 4u; i++) {
      let image = (k + i) / PQ;
      if (image < sizes.N) { v[i] = dy[(image * K + filter_) * PQ + (k + i) % PQ]; }
    }
  }
  return v;
}

fn load_b(z: u32, k: u32, n: u32) -> vec4f {
  var v: vec4f;
  let image = k / PQ;
  if (image >= sizes.N) {
    return v;
  }
  let p = k % PQ / Q;
  let q = k % Q;
  // @unroll
  for (var i = 0u; i < 4u; i++) {
    let c = (n + i) / RS;
    let h = input_row(p, (n + i) % RS / S);
    let column = input_column(q, (n + i) % S);
    if (n + i < CRS) {
      if (h < H && column < W) { v[i] = x[(image * C + z / SLICES * CG + c) * HW + h * W + column]; }
    } else {
      v[i] = 1.0;
    }
  }
  return v;
}

fn store(z: u32, m: u32, n: u32, c: vec4f) {
  let row = (z % SLICES) * K + z / SLICES * KG + m;
  // @unroll
  for (var i = 0u; i < 4u; i++) {
    if (n + i < CRS) {
      dw[row * CRS + n + i] = c[i];
    } else if (n + i < COLUMNS) {
      db[row] = c[i];
    }
  }
}
