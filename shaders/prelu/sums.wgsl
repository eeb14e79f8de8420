// The gradients of the slopes by image, dw [N, SLOPES]: the sums of dy x where x is not positive. One workgroup, or without
// SHARED one thread, per sum.
// @import common/number
// @import common/item_sums
// @import prelu/slopes

struct Sizes { count: u32 } // sums
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> x: array<Number>;
@group(0) @binding(2) var<storage, read> dy: array<Number>;
@group(0) @binding(3) var<storage, read_write> dw: array<f32>;

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) group_id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let item = item_of(group_id, groups, local);
  let thread = start_of(local);
  if (item >= sizes.count) { return; }
  let end = (item + 1u) * LENGTH;
  var total = 0.0;
  for (var part = item * LENGTH + thread; part < end; part += SPAN * STEP) {
    var sum = 0.0;
    for (var i = part; i < min(part + SPAN * STEP, end); i += STEP) {
      let v = f32(x[i]);
      sum += select(f32(dy[i]) * v, 0.0, v > 0.0);
    }
    total += sum;
  }
  total = shared_sum(total, thread);
  if (SHARED) {
    if (thread != 0u) { return; }
  }
  dw[item] = total;
}
