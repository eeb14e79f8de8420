// Copies parameters to the type of activations; one thread per value.
// @import common/index
// @import common/number

struct Sizes { count: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> parameters: array<f32>;
@group(0) @binding(2) var<storage, read_write> narrow: array<Number>;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let i = item_index(group, groups, 64u, local);
  if (i >= sizes.count) { return; }
  narrow[i] = Number(parameters[i]);
}
