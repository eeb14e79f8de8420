// Adds up the sums of a layer's chunks, one workgroup per layer, in a fixed order, to the step's slot.
// @import common/step
// @import common/shared_sum

struct Sizes { layers: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> places: array<vec2u>; // [layers]: from which sum to before which
@group(0) @binding(2) var<storage, read> before: array<vec2f>; // sums of gradients and of parameters
@group(0) @binding(3) var<storage, read> updates: array<f32>; // sums of updates
@group(0) @binding(4) var<storage, read_write> values: array<f32>; // [slots, layers, 3]: of gradients, parameters, updates

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
  let layer = group.x;
  var own = vec3f(0.0);
  for (var i = places[layer].x + local; i < places[layer].y; i += THREADS) {
    own += vec3f(before[i], updates[i]);
  }
  let sum = vec3f(shared_sum(own.x, local), shared_sum(own.y, local), shared_sum(own.z, local));
  if (local == 0u) {
    let at = 3u * (step.metrics_slot * sizes.layers + layer);
    values[at] = sum.x;
    values[at + 1u] = sum.y;
    values[at + 2u] = sum.z;
  }
}
