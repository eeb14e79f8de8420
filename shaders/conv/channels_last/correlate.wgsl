// fprop in NHWC, or dgrad if BACKWARD, as a matrix multiplication with a row per pixel of the result: the columns that
// im2col would write, [pixels, RS INNER], gathered on the fly, times the filters [RS INNER, OUTER]. Channels are last in
// both, so they are loaded and stored as vectors. One multiplication per group. POINTWISE: filters of 1x1, stride 1 and
// no padding, where the image already is the matrix. PHASED: pixels of dx whose rows and columns leave the same remainders
// meet the same positions of the filter, as in conv/implicit_gemm/dgrad_strided; z counts phases within groups.
// @import gemm/tile
// @import conv/problem
// @import common/relu

alias Pixels = f32; // the unit of loads from the image, x or dy: Number, four of it if VEC4, vec4u if WIDE too
alias Weights = f32; // and from w, if WEIGHT_VEC4
alias Output = f32; // the unit of the mask and of stores to the result, y or dx, if STORE_VEC4
@group(0) @binding(1) var<storage, read> image: array<Pixels>;
@group(0) @binding(2) var<storage, read> w: array<Weights>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read> mask: array<Output>;
@group(0) @binding(5) var<storage, read_write> result: array<Output>;
@group(0) @binding(6) var<storage, read> phases: array<vec4u>; // if PHASED
@group(0) @binding(7) var<storage, read> addend: array<Output>; // if ADDED, to the result

const BACKWARD = false;
const POINTWISE = false;
const VEC4 = false; // only if STAGED and INNER is a multiple of four
const WEIGHT_VEC4 = false; // only if STAGED and CG is a multiple of four
const STORE_VEC4 = false; // OUTER is a multiple of four
const HAS_BIAS = false;
const RELU = false;
const MASK = false;
const ADDED = false;

const PHASED = false; // if BACKWARD with a stride above 1
const PHASES = select(1u, STRIDE_V * STRIDE_H, PHASED);

const INNER = select(CG, KG, BACKWARD); // channels of the image in a group
const OUTER = select(KG, CG, BACKWARD); // and of the result
const IMAGE_HEIGHT = select(H, P, BACKWARD);
const IMAGE_WIDTH = select(W, Q, BACKWARD);
const IMAGE_PIXEL = GROUPS * INNER;
const RESULT_WIDTH = select(Q, W, BACKWARD);
const RESULT_PIXELS = select(PQ, HW, BACKWARD);

fn pixels_of(z: u32) -> vec4u {
  return phases[2u * (z % PHASES)];
}

fn positions_of(z: u32) -> vec4u {
  return phases[2u * (z % PHASES) + 1u];
}

fn extent(z: u32) -> vec4u {
  if (PHASED) {
    let pixels = pixels_of(z);
    return vec4u(sizes.N * pixels.z * pixels.w, OUTER, 0u, positions_of(z).y * INNER);
  } else {
    return vec4u(sizes.N * RESULT_PIXELS, OUTER, 0u, RS * INNER);
  }
}

// A place in the image, or a distance in it: its offset in memory, row and column. Unsigned arithmetic wraps: negative values
// are huge.
fn in_image(row: u32, column: u32, offset: u32) -> vec4u {
  return vec4u((row * IMAGE_WIDTH + column) * IMAGE_PIXEL + offset, row, column, 0u);
}

// A pixel of the result: where its window starts in the image.
fn a_row(z: u32, m: u32) -> vec4u {
  let group = z / PHASES * INNER;
  if (POINTWISE) {
    return vec4u(m * IMAGE_PIXEL + group, 0u, 0u, 0u);
  } else if (PHASED) {
    let pixels = pixels_of(z);
    let plane = pixels.z * pixels.w;
    let start = m / plane * IMAGE_HEIGHT * IMAGE_WIDTH * IMAGE_PIXEL + group;
    return in_image(m % plane / pixels.w, m % pixels.w, start);
  } else {
    let start = m / RESULT_PIXELS * IMAGE_HEIGHT * IMAGE_WIDTH * IMAGE_PIXEL + group;
    let row = m % RESULT_PIXELS / RESULT_WIDTH;
    let column = m % RESULT_WIDTH;
    if (BACKWARD) {
      return in_image(row + PADDING_TOP, column + PADDING_LEFT, start);
    } else {
      return in_image(input_row(row, 0u), input_column(column, 0u), start);
    }
  }
}

// A channel at a position of the filter, which lies below and right of the window's start, or if BACKWARD above and left.
fn a_step(z: u32, k: u32) -> vec4u {
  if (POINTWISE) {
    return vec4u(k, 0u, 0u, 0u);
  } else if (PHASED) {
    let position = phases[positions_of(z).x + k / INNER];
    return in_image(position.y, position.z, k % INNER);
  } else {
    let down = k / INNER / S * DILATION_V;
    let right = k / INNER % S * DILATION_H;
    if (BACKWARD) {
      return in_image(0u - down, 0u - right, k % INNER);
    } else {
      return in_image(down, right, k % INNER);
    }
  }
}

// Only the first is used if VEC4: the others are its neighbours in memory.
fn a_steps(z: u32, k: u32) -> array<vec4u, 4> {
  if (VEC4) {
    let first = a_step(z, k);
    return array(first, first, first, first);
  } else {
    return array(a_step(z, k), a_step(z, k + 1u), a_step(z, k + 2u), a_step(z, k + 3u));
  }
}

fn inside(at: vec4u) -> bool {
  if (POINTWISE) {
    return true;
  } else {
    return (at.y < IMAGE_HEIGHT) & (at.z < IMAGE_WIDTH);
  }
}

fn a_number(at: vec4u) -> f32 {
  return select(0.0, f32(vec4<Number>(image[at.x]).x), inside(at));
}

fn a_along_k(row: vec4u, steps: array<vec4u, 4>) -> Loaded {
  if (VEC4) {
    let at = row + steps[0];
    return select(Loaded(), Loaded(image[at.x / VECTOR]), inside(at));
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
  if (BACKWARD) {
    return vec4u(n);
  } else {
    return vec4u((z / PHASES * KG + n) * CRS);
  }
}

fn b_step(z: u32, k: u32) -> vec4u {
  if (PHASED) {
    let position = phases[positions_of(z).x + k / KG];
    return vec4u((z / PHASES * KG + k % KG) * CRS + position.w * W_PIXEL);
  } else if (BACKWARD) {
    return vec4u((z * KG + k % KG) * CRS + k / KG * W_PIXEL);
  } else {
    return vec4u(k);
  }
}

fn b_steps(z: u32, k: u32) -> array<vec4u, 4> {
  return array(b_step(z, k), b_step(z, k + 1u), b_step(z, k + 2u), b_step(z, k + 3u));
}

fn b_number(column: vec4u, step: vec4u) -> f32 {
  return f32(vec4<Number>(w[column.x + step.x]).x);
}

fn b_along_k(column: vec4u, steps: array<vec4u, 4>) -> Loaded {
  if (WEIGHT_VEC4) {
    return Loaded(w[(column.x + steps[0].x) / VECTOR]);
  } else {
    return vec4f(
      b_number(column, steps[0]),
      b_number(column, steps[1]),
      b_number(column, steps[2]),
      b_number(column, steps[3]),
    );
  }
}

fn b_along_n(columns: array<vec4u, 4>, step: vec4u) -> Loaded {
  if (WEIGHT_VEC4) {
    return Loaded(w[(columns[0].x + step.x) / VECTOR]);
  } else {
    return vec4f(
      b_number(columns[0], step),
      b_number(columns[1], step),
      b_number(columns[2], step),
      b_number(columns[3], step),
    );
  }
}

// Where pixel m is in the result.
fn pixel_of(z: u32, m: u32) -> u32 {
  if (PHASED) {
    let pixels = pixels_of(z);
    let plane = pixels.z * pixels.w;
    let row = pixels.x + m % plane / pixels.w * STRIDE_V;
    return m / plane * RESULT_PIXELS + row * RESULT_WIDTH + pixels.y + m % pixels.w * STRIDE_H;
  } else {
    return m;
  }
}

// Pixel m, channels n to n + 3 of a group.
fn store(z: u32, m: u32, n: u32, c: vec4f) {
  let channel = z / PHASES * OUTER + n;
  let at = pixel_of(z, m) * GROUPS * OUTER + channel;
  if (STORE_VEC4) {
    var four = c;
    if (HAS_BIAS) {
      four += vec4f(bias[channel], bias[channel + 1u], bias[channel + 2u], bias[channel + 3u]);
    }
    if (ADDED) { four += vec4f(vec4<Number>(addend[at / 4u])); }
    if (RELU) { four = relu_four(four); }
    if (MASK) { four = relu_gradient_four(vec4f(vec4<Number>(mask[at / 4u])), four); }
    result[at / 4u] = Output(four);
  } else {
    // @unroll
    for (var i = 0u; i < 4u; i++) {
      if (n + i < OUTER) {
        var v = c[i];
        if (HAS_BIAS) { v += bias[channel + i]; }
        if (ADDED) { v += f32(vec4<Number>(addend[at + i]).x); }
        if (RELU) { v = relu(v); }
        if (MASK) { v = relu_gradient(f32(vec4<Number>(mask[at + i]).x), v); }
        result[at + i] = Output(v);
      }
    }
  }
}
