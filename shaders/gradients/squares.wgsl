// The first pass of the gradients' norm: each thread sums the squares of every `parts`-th gradient, without barriers,
// which slow down software adapters.
// @import common/index
// @import optimizers/blocks

struct Sizes { count: u32, parts: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> gradients: array<f32>;
@group(0) @binding(2) var<storage, read_write> sums: array<f32>; // [parts]

@compute @workgroup_size(64)
fn main(invocation: Invocation) {
  let part = item_index(invocation, 64u);
  if (part >= sizes.parts) { return; }
  var sum = 0.0;
  for (var i = part; i < sizes.count; i += sizes.parts) {
    if (has_flag(i, TRAINED)) { sum += gradients[i] * gradients[i]; }
  }
  sums[part] = sum;
}
