// Each group's means of dy weight, and of dy weight times x normalised, from its planes' sums. One thread per group.
// @import common/index
// @import group_norm/groups

struct Sizes { count: u32 } // groups
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> dw: array<f32>; // [N, C]
@group(0) @binding(2) var<storage, read> db: array<f32>; // [N, C]
@group(0) @binding(3) var<storage, read> weight: array<f32>;
@group(0) @binding(4) var<storage, read_write> means: array<vec2f>;

const AFFINE = true;

@compute @workgroup_size(64)
fn main(invocation: Invocation) {
  let group = item_index(invocation, 64u);
  if (group >= sizes.count) { return; }
  var sums = vec2f();
  for (var i = group * CHANNELS; i < (group + 1u) * CHANNELS; i++) {
    var found = vec2f(db[i], dw[i]);
    if (AFFINE) {
      found *= weight[i % C];
    }
    sums += found;
  }
  means[group] = sums / f32(LENGTH);
}
