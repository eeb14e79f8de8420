// y = factor x. A multiplication, which preserves NaN and infinities.
// @import common/number
// @import common/elements
// @import dropout/factor

struct Sizes { count: u32, stream: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> x: array<Number>;
@group(0) @binding(2) var<storage, read_write> y: array<Number>;

fn value(i: u32) -> f32 {
  return f32(x[i]) * factor(sizes.stream, i);
}

fn store(i: u32, v: f32) {
  y[i] = Number(v);
}
