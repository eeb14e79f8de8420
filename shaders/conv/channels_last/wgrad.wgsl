// dw in NHWC as a matrix multiplication: dy [K, NPQ] times the rows [NPQ, RS CG] of inputs that each weight multiplied;
// db is one more column, of ones. Channels are last in dy, x and dw, so they are loaded as vectors. The long sum over
// NPQ is cut into SLICES; z counts slices within groups, and slice s goes to slice s of dw and db. POINTWISE: filters
// of 1x1, stride 1 and no padding.
// @import gemm/tile
// @import gemm/steps
// @import gemm/slices
// @import conv/problem

alias Gradients = f32; // the unit of loads from dy: Number, four of it if FILTER_VEC4, vec4u if WIDE too
alias Pixels = f32; // and from x, if VEC4
@group(0) @binding(1) var<storage, read> dy: array<Gradients>;
@group(0) @binding(2) var<storage, read> x: array<Pixels>;
@group(0) @binding(3) var<storage, read_write> dw: array<f32>;
@group(0) @binding(4) var<storage, read_write> db: array<f32>;

const HAS_BIAS = false;
const POINTWISE = false;
const PYTORCHS_ORDER = false; // of dw: [K, CG, R, S]
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

fn a_along_m(rows: array<u32, 4>, step: u32) -> Loaded {
  if (FILTER_VEC4) {
    return Loaded(dy[(rows[0] + step) / VECTOR]);
  } else {
    return vec4f(
      a_number(rows[0] + step),
      a_number(rows[1] + step),
      a_number(rows[2] + step),
      a_number(rows[3] + step),
    );
  }
}

// A place in an image, or a distance in it: its offset in memory, row and column.
fn in_image(row: u32, column: u32, offset: u32) -> vec4u {
  return vec4u((row * W + column) * C + offset, row, column, 0u);
}

// A channel at a position of the filter: how far down and right of a window's start it is. Its number is in w.
fn b_column(z: u32, n: u32) -> vec4u {
  let position = in_image(n / CG / S * DILATION_V, n / CG % S * DILATION_H, z / SLICES * CG + n % CG);
  return position + vec4u(0u, 0u, 0u, n);
}

// An output pixel: where its window starts.
fn b_step(z: u32, k: u32) -> vec4u {
  if (POINTWISE) {
    return vec4u(k * C, 0u, 0u, 0u);
  } else {
    return in_image(input_row(k % PQ / Q, 0u), input_column(k % Q, 0u), k / PQ * HW * C);
  }
}

fn inside(at: vec4u) -> bool {
  if (POINTWISE) {
    return true;
  } else {
    return (at.y < H) & (at.z < W);
  }
}

fn b_number(column: vec4u, step: vec4u) -> f32 {
  let at = column + step;
  let number = select(0.0, f32(vec4<Number>(x[at.x]).x), inside(at));
  if (HAS_BIAS) {
    return select(1.0, number, column.w < CRS); // ones in the bias's column
  } else {
    return number;
  }
}

fn ones() -> Loaded {
  if (WIDE) {
    return Loaded(0x3c003c00u); // in 16 bits
  } else {
    return Loaded(1.0);
  }
}

fn b_along_n(columns: array<vec4u, 4>, step: vec4u) -> Loaded {
  if (VEC4) {
    let at = columns[0] + step;
    let found = select(Loaded(), Loaded(x[at.x / VECTOR]), inside(at));
    if (HAS_BIAS) {
      return select(ones(), found, columns[0].w < CRS);
    } else {
      return found;
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
      let at = select(n + i, (n + i) % CG * RS + (n + i) / CG, PYTORCHS_ORDER);
      dw[row * CRS + at] = c[i];
    } else if (n + i < COLUMNS) {
      db[row] = c[i];
    }
  }
}
