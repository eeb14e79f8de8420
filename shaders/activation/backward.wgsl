// dx = dy activation'(x). The part named after the activation has its slope.
// @import common/input_gradient

struct Sizes { count: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> x: array<Number>;
@group(0) @binding(2) var<storage, read> dy: array<Number>;
@group(0) @binding(3) var<storage, read_write> dx: array<Number>;

fn gradient(i: u32) -> f32 {
  return f32(dy[i]) * slope(f32(x[i]));
}
