// Of each image and channel the sum of dy times x normalised, dw [N, C], and the sum of dy, db [N, C]: added up over the
// images, the gradients of weight and bias. One workgroup, or without SHARED one thread, per plane.
// @import common/number
// @import common/item_sums
// @import group_norm/groups

struct Sizes { count: u32 } // planes
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> x: array<Number>;
@group(0) @binding(2) var<storage, read> dy: array<Number>;
@group(0) @binding(3) var<storage, read> statistics: array<Statistics>;
@group(0) @binding(4) var<storage, read_write> dw: array<f32>;
@group(0) @binding(5) var<storage, read_write> db: array<f32>;

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) group_id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let plane = item_of(group_id, groups, local);
  let thread = start_of(local);
  if (plane >= sizes.count) { return; }
  let known = statistics[plane / CHANNELS];
  let end = (plane + 1u) * PLANE;
  var products = 0.0;
  var total = 0.0;
  for (var part = plane * PLANE + thread; part < end; part += SPAN * STEP) {
    var product = 0.0;
    var sum = 0.0;
    for (var i = part; i < min(part + SPAN * STEP, end); i += STEP) {
      let gradient = f32(dy[i]);
      product += gradient * (f32(x[i]) - known.mean);
      sum += gradient;
    }
    products += product;
    total += sum;
  }
  products = shared_sum(products, thread) * known.scale;
  total = shared_sum(total, thread);
  if (SHARED) {
    if (thread != 0u) { return; }
  }
  dw[plane] = products;
  db[plane] = total;
}
