// y[n] = A x[n] for every image n, where each image is a matrix in memory: channels by pixels. Columns of the product
// are the pixels of all images, one image after the other. One multiplication per group; z is the group.
//
//   A_ALONG_K       A is w [groups * outputs, inputs]: a convolution with a filter of 1x1
//   not A_ALONG_K A is the transpose of w [groups * inputs, w_row], from value w_start of each row: dgrad
//
// The importing file has y and the epilogue. VEC4: pixels are loaded as vectors of four, which never span two images.
// @import gemm/tile
// @import gemm/steps

alias Number = f32; // the type of x and w
alias Pixels = f32; // the unit of loads from x: Number, or four of it if VEC4
alias Weights = f32; // and from w: Number, or four of it if WEIGHT_VEC4

// All are uniforms, so that products of all sizes share a kernel: indices are decomposed only once per column.
struct Sizes {
  groups: u32,
  inputs: u32, // channels of x per group
  outputs: u32, // and of y
  columns: u32,
  pixels: u32, // columns per image
  x_start: u32, // the first image's offset
  x_plane: u32, // values from one channel to the next
  y_start: u32,
  y_plane: u32,
  w_start: u32,
  w_row: u32,
}
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> x: array<Pixels>;
@group(0) @binding(2) var<storage, read> w: array<Weights>;

const VEC4 = false; // only if STAGED, and if all sizes and offsets in pixels are multiples of four
const WEIGHT_VEC4 = false; // only if STAGED, and if w_row and w_start are multiples of four

fn extent(z: u32) -> vec4u {
  return vec4u(sizes.outputs, sizes.columns, 0u, sizes.inputs);
}

fn a_row(z: u32, m: u32) -> u32 {
  if (A_ALONG_K) {
    return (z * sizes.outputs + m) * sizes.w_row;
  } else {
    return z * sizes.inputs * sizes.w_row + sizes.w_start + m;
  }
}

fn a_step(z: u32, k: u32) -> u32 {
  if (A_ALONG_K) {
    return k;
  } else {
    return k * sizes.w_row;
  }
}

fn a_number(at: u32) -> f32 {
  return f32(vec4<Number>(w[at]).x);
}

fn a_four(at: array<u32, 4>) -> vec4f {
  if (WEIGHT_VEC4) {
    return vec4f(vec4<Number>(w[at[0] / 4u]));
  } else {
    return vec4f(a_number(at[0]), a_number(at[1]), a_number(at[2]), a_number(at[3]));
  }
}

fn a_along_k(row: u32, steps: array<u32, 4>) -> vec4f {
  return a_four(array(row + steps[0], row + steps[1], row + steps[2], row + steps[3]));
}

fn a_along_m(rows: array<u32, 4>, step: u32) -> vec4f {
  return a_four(array(rows[0] + step, rows[1] + step, rows[2] + step, rows[3] + step));
}

fn b_column(z: u32, n: u32) -> vec4u {
  return vec4u(sizes.x_start + (n / sizes.pixels * sizes.groups + z) * sizes.inputs * sizes.x_plane + n % sizes.pixels);
}

fn b_step(z: u32, k: u32) -> vec4u {
  return vec4u(k * sizes.x_plane);
}

fn b_number(column: vec4u, step: vec4u) -> f32 {
  return f32(vec4<Number>(x[column.x + step.x]).x);
}

fn b_along_n(columns: array<vec4u, 4>, step: vec4u) -> vec4f {
  if (VEC4) {
    return vec4f(vec4<Number>(x[(columns[0].x + step.x) / 4u]));
  } else {
    return vec4f(
      b_number(columns[0], step),
      b_number(columns[1], step),
      b_number(columns[2], step),
      b_number(columns[3], step),
    );
  }
}

// Where row m of group z, at column n, lies in y.
fn y_index(z: u32, m: u32, n: u32) -> u32 {
  return sizes.y_start + ((n / sizes.pixels * sizes.groups + z) * sizes.outputs + m) * sizes.y_plane + n % sizes.pixels;
}
