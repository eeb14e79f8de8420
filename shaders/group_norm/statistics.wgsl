// Each group's mean and deviation, in two passes over its values, since the mean of squares minus the squared mean cancels if
// the mean is large. For the same reason the mean is relative to the first value. One workgroup, or without SHARED one
// thread, per group.
// @import common/number
// @import common/item_sums
// @import group_norm/groups

struct Sizes { count: u32 } // groups
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> x: array<Number>;
@group(0) @binding(2) var<storage, read_write> statistics: array<Statistics>;

const EPS = 0.00001;

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) group_id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let group = item_of(group_id, groups, local);
  let thread = start_of(local);
  if (group >= sizes.count) { return; }
  let base = f32(x[group * LENGTH]);
  let end = (group + 1u) * LENGTH;
  var total = 0.0;
  for (var part = group * LENGTH + thread; part < end; part += SPAN * STEP) {
    var sum = 0.0;
    for (var i = part; i < min(part + SPAN * STEP, end); i += STEP) {
      sum += f32(x[i]) - base;
    }
    total += sum;
  }
  let center = shared_sum(total, thread) / f32(LENGTH);
  var squares = 0.0;
  for (var part = group * LENGTH + thread; part < end; part += SPAN * STEP) {
    var sum = 0.0;
    for (var i = part; i < min(part + SPAN * STEP, end); i += STEP) {
      let difference = f32(x[i]) - base - center;
      sum += difference * difference;
    }
    squares += sum;
  }
  let variance = shared_sum(squares, thread) / f32(LENGTH);
  if (SHARED) {
    if (thread != 0u) { return; }
  }
  statistics[group] = Statistics(base + center, 1.0 / sqrt(variance + EPS));
}
