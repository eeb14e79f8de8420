// dx = dy where y > 0, else 0; one thread an element.
// @import common/number
// @import common/index
// @import common/relu

struct Sizes { count: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> y: array<Number>;
@group(0) @binding(2) var<storage, read> dy: array<Number>;
@group(0) @binding(3) var<storage, read_write> dx: array<Number>;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let i = item_index(group, groups, 64u, local);
  if (i >= sizes.count) { return; }
  dx[i] = Number(relu_gradient(f32(y[i]), f32(dy[i])));
}
