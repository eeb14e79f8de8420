// dx = factor dy; one thread an element. Where MASK, only for positive x: then x is what a ReLU put out.
// @import common/number
// @import common/index
// @import common/relu
// @import dropout/factor

struct Sizes { count: u32, stream: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> x: array<Number>;
@group(0) @binding(2) var<storage, read> dy: array<Number>;
@group(0) @binding(3) var<storage, read_write> dx: array<Number>;

const MASK = false;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let i = item_index(group, groups, 64u, local);
  if (i >= sizes.count) { return; }
  var gradient = f32(dy[i]) * factor(sizes.stream, i);
  if (MASK) { gradient = relu_gradient(f32(x[i]), gradient); }
  dx[i] = Number(gradient);
}
