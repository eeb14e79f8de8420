// The mean of each window; one thread per window.
// @import common/number
// @import common/index
// @import pooling/avg_count

struct Sizes { count: u32 } // windows
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> x: array<Number>;
@group(0) @binding(2) var<storage, read_write> y: array<Number>;

@compute @workgroup_size(64)
fn main(invocation: Invocation) {
  let i = item_index(invocation, 64u);
  if (i >= sizes.count) { return; }
  let plane = plane_of(i, P * Q, H * W);
  let p = i / PLANES / Q % P;
  let q = i / PLANES % Q;
  var total = 0.0;
  var sum = 0.0;
  for (var r = 0u; r < R; r++) {
    let h = tap_row(p, r);
    if (h >= H) { continue; }
    for (var s = 0u; s < S; s++) {
      let w = tap_column(q, s);
      if (w >= W) { continue; }
      sum += f32(x[plane + (h * W + w) * PLANES]);
    }
    if (R * S > SPAN) {
      total += sum;
      sum = 0.0;
    }
  }
  y[i] = Number((sum + total) / window_count(p, q));
}
