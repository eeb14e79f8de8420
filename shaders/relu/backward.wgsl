// dx = dy where y > 0, else 0.
// @import common/number
// @import common/elements
// @import common/relu

struct Sizes { count: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> y: array<Number>;
@group(0) @binding(2) var<storage, read> dy: array<Number>;
@group(0) @binding(3) var<storage, read_write> dx: array<Number>;

fn value(i: u32) -> f32 {
  return relu_gradient(f32(y[i]), f32(dy[i]));
}

fn store(i: u32, v: f32) {
  dx[i] = Number(v);
}
