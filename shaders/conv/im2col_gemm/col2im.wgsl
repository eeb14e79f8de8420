// The reverse of im2col: one thread per input pixel gathers the contributions of all columns to its gradient, in the
// order of the filter's rows and columns. Columns [images, GROUPS, CHANNELS * RS, PQ], for some channels of each group
// at a time. If MASK, dx is 0 unless x is positive: then x is the output of a ReLU.
// @import common/index
// @import common/relu
// @import conv/geometry

struct Sizes { images: u32, first_image: u32, first_channel: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> columns: array<f32>;
@group(0) @binding(2) var<storage, read> x: array<Number>;
@group(0) @binding(3) var<storage, read_write> dx: array<Number>;

const CHANNELS = 1u;
const MASK = false;

@compute @workgroup_size(64)
fn main(invocation: Invocation) {
  let i = item_index(invocation, 64u);
  let plane = i / HW;
  let image = plane / (GROUPS * CHANNELS);
  if (image >= sizes.images) {
    return;
  }
  let h = i % HW / W;
  let w = i % W;
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
  let at = ((sizes.first_image + image) * C + c) * HW + i % HW;
  if (MASK) { sum = relu_gradient(f32(x[at]), sum); }
  dx[at] = Number(sum);
}
