// The second pass of the ratio of update to weights: one workgroup per layer, in a fixed order, to the step's slot.
// @import common/step
// @import common/shared_sum

struct Sizes { parts: u32, layers: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> sums: array<vec2f>; // [layers, parts]: update, weights
@group(0) @binding(2) var<storage, read_write> ratios: array<f32>; // [slots, layers]

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
  let layer = group.x;
  var total = vec2f(0.0);
  for (var part = local; part < sizes.parts; part += THREADS) { total += sums[layer * sizes.parts + part]; }
  let update = shared_sum(total.x, local);
  let weights = shared_sum(total.y, local);
  if (local == 0u) {
    ratios[step.metrics_slot * sizes.layers + layer] = sqrt(update) / sqrt(weights);
  }
}
