// Adam, and AdamW where DECOUPLED; one thread a parameter. Both moments are zero before the first step.
// @import common/index
// @import common/step

struct Sizes { count: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read_write> parameters: array<f32>;
@group(0) @binding(2) var<storage, read> gradients: array<f32>;
@group(0) @binding(3) var<storage, read_write> exp_avg: array<f32>;
@group(0) @binding(4) var<storage, read_write> exp_avg_sq: array<f32>;

// Weight decay shrinks the parameters themselves instead of adding to their gradients.
const DECOUPLED = false;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) local: u32,
) {
  let i = item_index(group, groups, 64u, local);
  if (i >= sizes.count) { return; }
  var parameter = parameters[i];
  var gradient = gradients[i];
  if (DECOUPLED) {
    parameter -= step.lr * step.weight_decay * parameter;
  } else {
    gradient += step.weight_decay * parameter;
  }
  let first = exp_avg[i] + step.gain1 * (gradient - exp_avg[i]);
  let second = step.beta2 * exp_avg_sq[i] + step.gain2 * gradient * gradient;
  exp_avg[i] = first;
  exp_avg_sq[i] = second;
  let denominator = sqrt(second) / sqrt(step.correction2) + step.epsilon;
  parameters[i] = parameter - step.lr / step.correction1 * (first / denominator);
}
