// dw as a matrix product: dy [K, NPQ] times the rows [NPQ, CRS] of inputs that each filter weight met; db by one more
// column, of ones. The long sum over NPQ is cut into SLICES; z counts slices within groups, and slice s goes to slice s
// of dw and db.
// @import gemm/quads
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

fn a_at(z: u32, m: u32, k: u32) -> f32 {
  let image = k / PQ;
  return select(0.0, dy[(image * K + z / SLICES * KG + m) * PQ + k % PQ], (m < KG) & (image < sizes.N));
}

fn b_at(z: u32, k: u32, n: u32) -> f32 {
  let image = k / PQ;
  let h = input_row(k % PQ / Q, n % RS / S);
  let column = input_column(k % Q, n % S);
  let number = x[(image * C + z / SLICES * CG + n / RS) * HW + h * W + column];
  let inside = select(0.0, number, (image < sizes.N) & (h < H) & (column < W));
  return select(1.0, inside, n < CRS); // ones in the bias's column
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
