// The maximum of each window and its place h * W + w in the plane; one thread per window. Padding never wins, the first
// of equal values does, and NaN wins over all. Every window has an element inside the image.
// @import common/number
// @import common/index
// @import pooling/windows
// @import common/nan

struct Sizes { count: u32 } // windows
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> x: array<Number>;
@group(0) @binding(2) var<storage, read_write> y: array<Number>;
@group(0) @binding(3) var<storage, read_write> argmax: array<u32>;

const NOWHERE = 0xffffffffu;

@compute @workgroup_size(64)
fn main(invocation: Invocation) {
  let i = item_index(invocation, 64u);
  if (i >= sizes.count) { return; }
  let plane = plane_of(i, P * Q, H * W);
  let p = i / PLANES / Q % P;
  let q = i / PLANES % Q;
  var largest = 0.0;
  var place = NOWHERE;
  for (var r = 0u; r < R; r++) {
    let h = tap_row(p, r);
    if (h >= H) { continue; }
    for (var s = 0u; s < S; s++) {
      let w = tap_column(q, s);
      if (w >= W) { continue; }
      let v = f32(x[plane + (h * W + w) * PLANES]);
      if (place == NOWHERE || beats(v, largest)) {
        largest = v;
        place = h * W + w;
      }
    }
  }
  y[i] = Number(largest);
  argmax[i] = place;
}
