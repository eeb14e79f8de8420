// dx = factor dy.
// @import common/input_gradient
// @import dropout/factor

struct Sizes { count: u32, stream: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> x: array<Number>;
@group(0) @binding(2) var<storage, read> dy: array<Number>;
@group(0) @binding(3) var<storage, read_write> dx: array<Number>;

fn gradient(i: u32) -> f32 {
  return f32(dy[i]) * factor(sizes.stream, i);
}
