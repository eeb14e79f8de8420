// dw as a matrix multiplication: dy [K, NPQ] times the rows [NPQ, CRS] of inputs that each filter weight multiplied; db
// is one more column, of ones. The long sum over NPQ is cut into SLICES; z counts slices within groups, and slice s
// goes to slice s of dw and db.
// @import gemm/quads_b
// @import gemm/slices
// @import conv/problem

alias Piece = f32; // what dy is loaded by: Number, or four of it if VEC4
@group(0) @binding(1) var<storage, read> dy: array<Piece>;
@group(0) @binding(2) var<storage, read> x: array<Number>;
@group(0) @binding(3) var<storage, read_write> dw: array<f32>;
@group(0) @binding(4) var<storage, read_write> db: array<f32>;

const HAS_BIAS = false;
const VEC4 = false; // only if STAGED: PQ is a multiple of four, so four adjacent output pixels belong to one image
const ROW_VEC4 = false; // Q is a multiple of four, so they belong to one row
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

fn a_steps(z: u32, k: u32) -> array<u32, 4> {
  let first = a_step(z, k);
  if (VEC4) {
    return array(first, first + 1u, first + 2u, first + 3u);
  } else {
    return array(first, a_step(z, k + 1u), a_step(z, k + 2u), a_step(z, k + 3u));
  }
}

fn a_number(at: u32) -> f32 {
  return f32(vec4<Number>(dy[at]).x);
}

fn a_along_k(row: u32, steps: array<u32, 4>) -> vec4f {
  if (VEC4) {
    return vec4f(vec4<Number>(dy[(row + steps[0]) / 4u]));
  } else {
    return vec4f(
      a_number(row + steps[0]),
      a_number(row + steps[1]),
      a_number(row + steps[2]),
      a_number(row + steps[3]),
    );
  }
}

// A filter position: where its channel starts, and how far down and right of a window's start it is.
fn b_column(z: u32, n: u32) -> vec4u {
  return vec4u((z / SLICES * CG + n / RS) * HW, n % RS / S * DILATION_V, n % S * DILATION_H, n);
}

// An output pixel: where its image starts, and the input row and column that its window starts at.
fn b_step(z: u32, k: u32) -> vec4u {
  return vec4u(k / PQ * C * HW, input_row(k % PQ / Q, 0u), input_column(k % Q, 0u), 0u);
}

fn b_steps(z: u32, k: u32) -> array<vec4u, 4> {
  let first = b_step(z, k);
  if (ROW_VEC4) {
    let right = vec4u(0u, 0u, STRIDE_H, 0u);
    return array(first, first + right, first + 2u * right, first + 3u * right);
  } else {
    return array(first, b_step(z, k + 1u), b_step(z, k + 2u), b_step(z, k + 3u));
  }
}

fn b_number(column: vec4u, step: vec4u) -> f32 {
  let at = column + step; // channel, row, column
  let number = select(0.0, f32(x[at.x + at.y * W + at.z]), (at.y < H) & (at.z < W));
  if (HAS_BIAS) {
    return select(1.0, number, column.w < CRS); // ones in the bias's column
  } else {
    return number;
  }
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
