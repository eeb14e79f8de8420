// The reverse of im2col: gathers the contributions of all columns to the gradient of each value of the input, in the order
// of the filter's rows and columns. Adding each column where it belongs instead would need atomics, which WGSL has for
// integers only, and whose order differs from run to run. One thread per element, or per position of the image if
// ALL_CHANNELS. Columns [images, GROUPS, CHANNELS * RS, PQ], for some channels of each group at a time. If MASK, dx is 0
// unless x is positive: then x is the output of a ReLU.
// @import conv/im2col_gemm/items
// @import common/relu
// @import conv/geometry

struct Sizes { images: u32, first_image: u32, first_channel: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> columns: array<f32>;
@group(0) @binding(2) var<storage, read> x: array<Number>;
@group(0) @binding(3) var<storage, read_write> dx: array<Number>;

const CHANNELS = 1u;
const ALL_CHANNELS = false;
const MASK = false;

const PLANES = GROUPS * CHANNELS; // of an image

fn item_count() -> u32 {
  return sizes.images * HW * select(PLANES, 1u, ALL_CHANNELS);
}

fn process(i: u32) {
  if (ALL_CHANNELS) {
    for (var plane = 0u; plane < PLANES; plane++) {
      gather(i / HW * PLANES + plane, i % HW);
    }
  } else {
    gather(i / HW, i % HW);
  }
}

fn gather(plane: u32, pixel: u32) {
  let h = pixel / W;
  let w = pixel % W;
  var sum = 0.0;
  for (var r = 0u; r < R; r++) {
    let p = output_row(h, r);
    if (p >= P) {
      continue;
    }
    for (var s = 0u; s < S; s++) {
      let q = output_column(w, s);
      if (q < Q) {
        sum += columns[(plane * RS + r * S + s) * PQ + p * Q + q];
      }
    }
  }
  let c = plane / CHANNELS % GROUPS * CG + sizes.first_channel + plane % CHANNELS;
  let at = ((sizes.first_image + plane / PLANES) * C + c) * HW + pixel;
  if (MASK) { sum = relu_gradient(f32(x[at]), sum); }
  dx[at] = Number(sum);
}
