// y [N, C, P, Q] is x [N, C, H, W] with a border: VALUE, or x reflected.
// @import pad/places
// @import common/elements

const VALUE = 0.0;

struct Sizes { count: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> x: array<Number>;
@group(0) @binding(2) var<storage, read_write> y: array<Number>;

fn value(i: u32) -> f32 {
  let h = place_of(i / Q % P, TOP, H);
  let w = place_of(i % Q, LEFT, W);
  if (h >= H || w >= W) { return VALUE; }
  return f32(x[(i / (P * Q) * H + h) * W + w]);
}

fn store(i: u32, v: f32) {
  y[i] = Number(v);
}
