// dw as a matrix product: dy [K, NPQ] times the rows [NPQ, CRS] of inputs that each filter weight met; db by one more
// column, of ones. The long sum over NPQ is cut into SLICES; z counts slices within groups, and slice s goes to slice s
// of dw and db.
// @import gemm/quads
// @import gemm/slices
// @import conv/problem

@group(0) @binding(1) var<storage, read> dy: array<Number>;
@group(0) @binding(2) var<storage, read> x: array<Number>;
@group(0) @binding(3) var<storage, read_write> dw: array<f32>;
@group(0) @binding(4) var<storage, read_write> db: array<f32>;

const HAS_BIAS = false;
const COLUMNS = CRS + select(0u, 1u, HAS_BIAS);

fn extent(z: u32) -> vec4u {
  return vec4u(KG, COLUMNS, slice_range(sizes.N * PQ, z % SLICES));
}

fn a_row(z: u32, m: u32) -> u32 {
  return (z / SLICES * KG + m) * PQ;
}

fn a_step(z: u32, k: u32) -> u32 {
  return k / PQ * K * PQ + k % PQ;
}

fn a_number(at: u32) -> f32 {
  return f32(dy[at]);
}

// A filter position: where its channel begins, and how far down and right of a window's start it is.
fn b_column(z: u32, n: u32) -> vec4u {
  return vec4u((z / SLICES * CG + n / RS) * HW, n % RS / S * DILATION_V, n % S * DILATION_H, n);
}

// An output pixel: where its image begins, and the input row and column that its window begins at.
fn b_step(z: u32, k: u32) -> vec4u {
  return vec4u(k / PQ * C * HW, input_row(k % PQ / Q, 0u), input_column(k % Q, 0u), 0u);
}

fn b_number(column: vec4u, step: vec4u) -> f32 {
  let at = column + step; // channel, row, column
  let number = select(0.0, f32(x[at.x + at.y * W + at.z]), (at.y < H) & (at.z < W));
  return select(1.0, number, column.w < CRS); // ones in the bias's column
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
