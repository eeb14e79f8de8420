// dx is a share of the dy of each window over it.
// @import pooling/gradient
// @import pooling/avg_count

struct Sizes { count: u32 } // input elements
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> dy: array<Number>;
@group(0) @binding(2) var<storage, read> x: array<Number>;
@group(0) @binding(3) var<storage, read_write> dx: array<Number>;

fn share(window: u32, p: u32, q: u32, place: u32) -> f32 {
  return f32(dy[window]) / window_count(p, q);
}
