// The first pass of the ratio of update to weights: for every `parts`-th parameter of a layer, each thread sums the
// squares of its change and of its value before, without barriers, which slow down software adapters.
// @import common/index

struct Sizes { parts: u32, layers: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> before: array<f32>;
@group(0) @binding(2) var<storage, read> parameters: array<f32>;
@group(0) @binding(3) var<storage, read> places: array<u32>; // [layers, 2]: start and end
@group(0) @binding(4) var<storage, read_write> sums: array<vec2f>; // [layers, parts]: update, weights

@compute @workgroup_size(64)
fn main(invocation: Invocation) {
  let item = item_index(invocation, 64u);
  if (item >= sizes.parts * sizes.layers) { return; }
  let layer = item / sizes.parts;
  let end = places[2u * layer + 1u];
  var update = 0.0;
  var weights = 0.0;
  for (var i = places[2u * layer] + item % sizes.parts; i < end; i += sizes.parts) {
    let change = parameters[i] - before[i];
    update += change * change;
    weights += before[i] * before[i];
  }
  sums[item] = vec2f(update, weights);
}
