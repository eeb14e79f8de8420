// dx is dy where the maximum was, else 0; one thread an input element. Where MASK, only for positive x: then x is what a
// ReLU put out.
// @import common/number
// @import common/index
// @import common/relu
// @import maxout/pieces

struct Sizes { count: u32 } // input elements
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> dy: array<Number>;
@group(0) @binding(2) var<storage, read> argmax: array<u32>;
@group(0) @binding(3) var<storage, read> x: array<Number>;
@group(0) @binding(4) var<storage, read_write> dx: array<Number>;

const MASK = false;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let i = item_index(group, groups, 64u, local);
  if (i >= sizes.count) { return; }
  let channel = i / INNER;
  let output = channel / PIECES * INNER + i % INNER;
  var gradient = select(0.0, f32(dy[output]), argmax[output] == channel % PIECES);
  if (MASK) { gradient = relu_gradient(f32(x[i]), gradient); }
  dx[i] = Number(gradient);
}
