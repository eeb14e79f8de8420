// dx is dy where the maximum was, else 0.
// @import common/input_gradient
// @import maxout/pieces

struct Sizes { count: u32 } // input elements
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> dy: array<Number>;
@group(0) @binding(2) var<storage, read> argmax: array<u32>;
@group(0) @binding(3) var<storage, read> x: array<Number>;
@group(0) @binding(4) var<storage, read_write> dx: array<Number>;

fn gradient(i: u32) -> f32 {
  let channel = i / INNER;
  let output = channel / PIECES * INNER + i % INNER;
  return select(0.0, f32(dy[output]), argmax[output] == channel % PIECES);
}
