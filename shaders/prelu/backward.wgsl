// dx = dy where x is positive, else dy times the slope.
// @import common/input_gradient
// @import prelu/slopes

struct Sizes { count: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> x: array<Number>;
@group(0) @binding(2) var<storage, read> dy: array<Number>;
@group(0) @binding(3) var<storage, read> weight: array<f32>; // [SLOPES]
@group(0) @binding(4) var<storage, read_write> dx: array<Number>;

fn gradient(i: u32) -> f32 {
  return f32(dy[i]) * select(weight[i / LENGTH % SLOPES], 1.0, f32(x[i]) > 0.0);
}
