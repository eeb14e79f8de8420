// y = activation(x), one thread an element. The importing file has the function.
// @import common/number
// @import common/index

struct Sizes { count: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> x: array<Number>;
@group(0) @binding(2) var<storage, read_write> y: array<Number>;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let i = item_index(group, groups, 64u, local);
  if (i >= sizes.count) { return; }
  y[i] = Number(activation(f32(x[i])));
}
