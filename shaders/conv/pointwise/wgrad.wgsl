// dw = the sum over images n of dy[n] x[n]^T, where each image is a matrix in memory: channels by pixels. One
// multiplication per group. The long sum over the pixels of all images is cut into SLICES; z counts slices within
// groups, and slice s goes to slice s of dw. VEC4: pixels, along which both matrices are loaded, are loaded as vectors
// of four. If `add` is not 0, the result is added to dw.
// @import gemm/tile
// @import gemm/steps
// @import gemm/slices

alias Number = f32; // the type of dy and x
alias Pixels = f32; // the unit of loads from them: Number, or four of it if VEC4

struct Sizes { columns: u32, x_start: u32, dy_start: u32, add: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> dy: array<Pixels>;
@group(0) @binding(2) var<storage, read> x: array<Pixels>;
@group(0) @binding(3) var<storage, read_write> dw: array<f32>;

const GROUPS = 1u;
const INPUTS = 1u; // channels of x per group
const OUTPUTS = 1u; // and of dy
const PIXELS = 4u; // of an image, in this dispatch
const X_PLANE = 4u; // values from one channel to the next in x
const DY_PLANE = 4u; // and in dy
const VEC4 = false; // only if STAGED, and if all sizes and offsets in pixels are multiples of four

fn extent(z: u32) -> vec4u {
  return vec4u(OUTPUTS, INPUTS, slice_range(sizes.columns, z % SLICES));
}

fn a_row(z: u32, m: u32) -> u32 {
  return sizes.dy_start + (z / SLICES * OUTPUTS + m) * DY_PLANE;
}

fn a_step(z: u32, k: u32) -> u32 {
  return k / PIXELS * (GROUPS * OUTPUTS * DY_PLANE) + k % PIXELS;
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

fn b_column(z: u32, n: u32) -> vec4u {
  return vec4u(sizes.x_start + (z / SLICES * INPUTS + n) * X_PLANE);
}

fn b_step(z: u32, k: u32) -> vec4u {
  return vec4u(k / PIXELS * (GROUPS * INPUTS * X_PLANE) + k % PIXELS);
}

fn b_number(column: vec4u, step: vec4u) -> f32 {
  return f32(vec4<Number>(x[column.x + step.x]).x);
}

fn b_along_k(column: vec4u, steps: array<vec4u, 4>) -> vec4f {
  if (VEC4) {
    return vec4f(vec4<Number>(x[(column.x + steps[0].x) / 4u]));
  } else {
    return vec4f(
      b_number(column, steps[0]),
      b_number(column, steps[1]),
      b_number(column, steps[2]),
      b_number(column, steps[3]),
    );
  }
}

fn b_along_n(columns: array<vec4u, 4>, step: vec4u) -> vec4f {
  return vec4f(
    b_number(columns[0], step),
    b_number(columns[1], step),
    b_number(columns[2], step),
    b_number(columns[3], step),
  );
}

fn store(z: u32, m: u32, n: u32, c: vec4f) {
  let row = ((z % SLICES) * GROUPS + z / SLICES) * OUTPUTS + m;
  // @unroll
  for (var i = 0u; i < 4u; i++) {
    if (n + i < INPUTS) {
      let at = row * INPUTS + n + i;
      var v = c[i];
      if (sizes.add != 0u) {
        v += dw[at];
      }
      dw[at] = v;
    }
  }
}
