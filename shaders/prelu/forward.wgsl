// y = x where it is positive, else x times the slope.
// @import common/number
// @import common/elements
// @import prelu/slopes

struct Sizes { count: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> x: array<Number>;
@group(0) @binding(2) var<storage, read> weight: array<f32>; // [SLOPES]
@group(0) @binding(3) var<storage, read_write> y: array<Number>;

fn value(i: u32) -> f32 {
  let v = f32(x[i]);
  // Preserves NaN, as activation/leaky_relu.
  return select(v, weight[i / LENGTH % SLOPES] * v, v <= 0.0);
}

fn store(i: u32, v: f32) {
  y[i] = Number(v);
}
