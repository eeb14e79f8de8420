// Copies values, four per thread: at the speed of memory.
// @import common/index

struct Sizes { vectors: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> x: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> y: array<vec4f>;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let i = item_index(group, groups, 64u, local);
  if (i >= sizes.vectors) { return; }
  y[i] = x[i];
}
