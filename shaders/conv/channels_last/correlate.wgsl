// fprop in NHWC, or dgrad if BACKWARD, as a matrix multiplication with a row per pixel of the result: the columns that
// im2col would write, [pixels, RS INNER], gathered on the fly, times the filters [RS INNER, OUTER]. Channels are last in
// both, so they are loaded and stored as vectors. One multiplication per group. POINTWISE: filters of 1x1, stride 1 and
// no padding, where the image already is the matrix.
// @import gemm/tile
// @import conv/problem
// @import common/relu

alias Pixels = f32; // the unit of loads from the image, x or dy: Number, or four of it if VEC4
alias Weights = f32; // and from w, if WEIGHT_VEC4
alias Output = f32; // the unit of the mask and of stores to the result, y or dx, if STORE_VEC4
@group(0) @binding(1) var<storage, read> image: array<Pixels>;
@group(0) @binding(2) var<storage, read> w: array<Weights>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read> mask: array<Output>;
@group(0) @binding(5) var<storage, read_write> result: array<Output>;

const BACKWARD = false;
const POINTWISE = false;
const VEC4 = false; // only if STAGED and INNER is a multiple of four
const WEIGHT_VEC4 = false; // only if STAGED and CG is a multiple of four
const STORE_VEC4 = false; // OUTER is a multiple of four
const HAS_BIAS = false;
const RELU = false;
const MASK = false;

const INNER = select(CG, KG, BACKWARD); // channels of the image in a group
const OUTER = select(KG, CG, BACKWARD); // and of the result
const IMAGE_PIXELS = select(HW, PQ, BACKWARD);
const RESULT_PIXELS = select(PQ, HW, BACKWARD);

fn extent(z: u32) -> vec4u {
  return vec4u(sizes.N * RESULT_PIXELS, OUTER, 0u, RS * INNER);
}

// A pixel of the result: where its image and group start, and the row and column of the image, if BACKWARD of the
// padded one, that its window starts at.
fn a_row(z: u32, m: u32) -> vec4u {
  if (POINTWISE) {
    return vec4u(m * GROUPS * INNER + z * INNER, 0u, 0u, 0u);
  } else {
    let start = m / RESULT_PIXELS * IMAGE_PIXELS * GROUPS * INNER + z * INNER;
    let at = m % RESULT_PIXELS;
    if (BACKWARD) {
      return vec4u(start, at / W + PADDING_TOP, at % W + PADDING_LEFT, 0u);
    } else {
      return vec4u(start, input_row(at / Q, 0u), input_column(at % Q, 0u), 0u);
    }
  }
}

// A channel at a position of the filter, which lies below and right of the window's start, or if BACKWARD above and
// left: unsigned arithmetic wraps.
fn a_step(z: u32, k: u32) -> vec4u {
  if (POINTWISE) {
    return vec4u(k, 0u, 0u, 0u);
  } else {
    let down = k / INNER / S * DILATION_V;
    let right = k / INNER % S * DILATION_H;
    if (BACKWARD) {
      return vec4u(k % INNER, 0u - down, 0u - right, 0u);
    } else {
      return vec4u(k % INNER, down, right, 0u);
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

// The index of a value of the image, and 1 if it lies inside.
fn place(at: vec4u) -> vec2u {
  if (POINTWISE) {
    return vec2u(at.x, 1u);
  } else {
    if (BACKWARD) {
      let p = at.y / STRIDE_V;
      let q = at.z / STRIDE_H;
      let met = (p < P) & (q < Q) & (at.y == p * STRIDE_V) & (at.z == q * STRIDE_H);
      return vec2u(at.x + (p * Q + q) * Y_PIXEL, u32(met));
    } else {
      return vec2u(at.x + (at.y * W + at.z) * X_PIXEL, u32((at.y < H) & (at.z < W)));
    }
  }
}

fn a_number(at: vec4u) -> f32 {
  let found = place(at);
  return select(0.0, f32(vec4<Number>(image[found.x]).x), found.y == 1u);
}

fn a_along_k(row: vec4u, steps: array<vec4u, 4>) -> vec4f {
  if (VEC4) {
    let found = place(row + steps[0]);
    return select(vec4f(), vec4f(vec4<Number>(image[found.x / 4u])), found.y == 1u);
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
    return vec4u((z * KG + n) * CRS);
  }
}

fn b_step(z: u32, k: u32) -> vec4u {
  if (BACKWARD) {
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

fn b_along_k(column: vec4u, steps: array<vec4u, 4>) -> vec4f {
  if (WEIGHT_VEC4) {
    return vec4f(vec4<Number>(w[(column.x + steps[0].x) / 4u]));
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
  if (WEIGHT_VEC4) {
    return vec4f(vec4<Number>(w[(columns[0].x + step.x) / 4u]));
  } else {
    return vec4f(
      b_number(columns[0], step),
      b_number(columns[1], step),
      b_number(columns[2], step),
      b_number(columns[3], step),
    );
  }
}

// Pixel m, channels n to n + 3 of group z.
fn store(z: u32, m: u32, n: u32, c: vec4f) {
  let channel = z * OUTER + n;
  let at = m * GROUPS * OUTER + channel;
  if (STORE_VEC4) {
    var four = c;
    if (HAS_BIAS) {
      four += vec4f(bias[channel], bias[channel + 1u], bias[channel + 2u], bias[channel + 3u]);
    }
    if (RELU) { four = relu_four(four); }
    if (MASK) { four = relu_gradient_four(vec4f(vec4<Number>(mask[at / 4u])), four); }
    result[at / 4u] = Output(four);
  } else {
    // @unroll
    for (var i = 0u; i < 4u; i++) {
      if (n + i < OUTER) {
        var v = c[i];
        if (HAS_BIAS) { v += bias[channel + i]; }
        if (RELU) { v = relu(v); }
        if (MASK) { v = relu_gradient(f32(vec4<Number>(mask[at + i]).x), v); }
        result[at + i] = Output(v);
      }
    }
  }
}
