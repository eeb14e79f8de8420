// dw in NHWC as a matrix multiplication: dy [K, NPQ] times the rows [NPQ, RS CG] of inputs that each weight multiplied;
// db is one more column, of ones. Channels are last in dy, x and dw, so they are loaded as vectors. The long sum over
// NPQ is cut into SLICES; z counts slices within groups, and slice s goes to slice s of dw and db. POINTWISE: filters
// of 1x1, stride 1 and no padding.
// @import gemm/tile
// @import gemm/steps
// @import gemm/slices
// @import conv/problem

alias Gradients = f32; // the unit of loads from dy: Number, or four of it if FILTER_VEC4
alias Pixels = f32; // and from x, if VEC4
@group(0) @binding(1) var<storage, read> dy: array<Gradients>;
@group(0) @binding(2) var<storage, read> x: array<Pixels>;
@group(0) @binding(3) var<storage, read_write> dw: array<f32>;
@group(0) @binding(4) var<storage, read_write> db: array<f32>;

const HAS_BIAS = false;
const POINTWISE = false;
const FILTER_VEC4 = false; // only if STAGED and KG is a multiple of four
const VEC4 = false; // only if STAGED and CG is a multiple of four
const COLUMNS = CRS + select(0u, 1u, HAS_BIAS);

fn extent(z: u32) -> vec4u {
  return vec4u(KG, COLUMNS, slice_range(sizes.N * PQ, z % SLICES));
}

fn a_row(z: u32, m: u32) -> u32 {
  return z / SLICES * KG + m;
}

fn a_step(z: u32, k: u32) -> u32 {
  return k * K;
}

fn a_number(at: u32) -> f32 {
  return f32(vec4<Number>(dy[at]).x);
}

fn a_along_m(rows: array<u32, 4>, step: u32) -> vec4f {
  if (FILTER_VEC4) {
    return vec4f(vec4<Number>(dy[(rows[0] + step) / 4u]));
  } else {
    return vec4f(
      a_number(rows[0] + step),
      a_number(rows[1] + step),
      a_number(rows[2] + step),
      a_number(rows[3] + step),
    );
  }
}

// A channel at a position of the filter: the channel, and how far down and right of a window's start it is.
fn b_column(z: u32, n: u32) -> vec4u {
  let channel = z / SLICES * CG + n % CG;
  return vec4u(channel, n / CG / S * DILATION_V, n / CG % S * DILATION_H, n);
}

// An output pixel: where its image starts, and the input row and column that its window starts at.
fn b_step(z: u32, k: u32) -> vec4u {
  if (POINTWISE) {
    return vec4u(k * C, 0u, 0u, 0u);
  } else {
    return vec4u(k / PQ * HW * C, input_row(k % PQ / Q, 0u), input_column(k % Q, 0u), 0u);
  }
}

// The index of a value of x, and 1 if it lies inside.
fn place(at: vec4u) -> vec2u {
  if (POINTWISE) {
    return vec2u(at.x, 1u);
  } else {
    return vec2u(at.x + (at.y * W + at.z) * X_PIXEL, u32((at.y < H) & (at.z < W)));
  }
}

fn b_number(column: vec4u, step: vec4u) -> f32 {
  let found = place(column + step);
  let number = select(0.0, f32(vec4<Number>(x[found.x]).x), found.y == 1u);
  if (HAS_BIAS) {
    return select(1.0, number, column.w < CRS); // ones in the bias's column
  } else {
    return number;
  }
}

fn b_along_n(columns: array<vec4u, 4>, step: vec4u) -> vec4f {
  if (VEC4) {
    let found = place(columns[0] + step);
    let four = select(vec4f(), vec4f(vec4<Number>(x[found.x / 4u])), found.y == 1u);
    if (HAS_BIAS) {
      return select(vec4f(1.0), four, columns[0].w < CRS);
    } else {
      return four;
    }
  } else {
    return vec4f(
      b_number(columns[0], step),
      b_number(columns[1], step),
      b_number(columns[2], step),
      b_number(columns[3], step),
    );
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
