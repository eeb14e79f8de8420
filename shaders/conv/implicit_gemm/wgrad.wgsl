// dw as a matrix multiplication: dy [K, NPQ] times the rows [NPQ, CRS] of inputs that each filter weight multiplied; db
// is one more column, of ones. The long sum over NPQ is cut into SLICES; z counts slices within groups, and slice s
// goes to slice s of dw and db.
// @import gemm/slices
// @import conv/implicit_gemm/gather

alias Piece = f32; // what dy is loaded by: Number, or four of it if VEC4
@group(0) @binding(2) var<storage, read> dy: array<Piece>;
@group(0) @binding(3) var<storage, read_write> dw: array<f32>;
@group(0) @binding(4) var<storage, read_write> db: array<f32>;

const HEIGHT = H;
const WIDTH = W;
const VEC4 = false; // only if STAGED: PQ is a multiple of four, so four adjacent output pixels belong to one image
const ROW_VEC4 = false; // Q is a multiple of four, so they belong to one row
const COLUMNS = CRS + select(0u, 1u, ONES);

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

// A filter position, from a window's start; or the bias's column.
fn b_column(z: u32, n: u32) -> vec4u {
  let down = n % RS / S * DILATION_V;
  let right = n % S * DILATION_H;
  return vec4u((z / SLICES * CG + n / RS) * HW + down * W + right, down, right, u32(n >= CRS));
}

// An output pixel: where its window starts.
fn b_step(z: u32, k: u32) -> vec4u {
  let row = input_row(k % PQ / Q, 0u);
  let column = input_column(k % Q, 0u);
  return vec4u(k / PQ * C * HW + row * W + column, row, column, 0u);
}

fn b_steps(z: u32, k: u32) -> array<vec4u, 4> {
  let first = b_step(z, k);
  if (ROW_VEC4) {
    let right = vec4u(STRIDE_H, 0u, STRIDE_H, 0u);
    return array(first, first + right, first + 2u * right, first + 3u * right);
  } else {
    return array(first, b_step(z, k + 1u), b_step(z, k + 2u), b_step(z, k + 3u));
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
