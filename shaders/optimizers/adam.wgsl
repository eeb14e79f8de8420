// Adam, and AdamW if DECOUPLED; one thread per parameter. Both moments are zero before the first step.
// @import optimizers/update

@group(0) @binding(4) var<storage, read_write> exp_avg: array<f32>;
@group(0) @binding(5) var<storage, read_write> exp_avg_sq: array<f32>;

// Weight decay shrinks the parameters themselves instead of adding to their gradients.
const DECOUPLED = false;

@compute @workgroup_size(64)
fn main(invocation: Invocation) {
  let i = item_index(invocation, 64u);
  if (is_skipped(i)) { return; }
  var parameter = parameters[i];
  var gradient = gradient_at(i);
  if (DECOUPLED) {
    parameter -= learning_rate(i) * weight_decay(i) * parameter;
  } else {
    gradient += weight_decay(i) * parameter;
  }
  let first = exp_avg[i] + step.gain1 * (gradient - exp_avg[i]);
  let second = step.beta2 * exp_avg_sq[i] + step.gain2 * gradient * gradient;
  exp_avg[i] = first;
  exp_avg_sq[i] = second;
  let denominator = sqrt(second) / sqrt(step.correction2) + step.epsilon;
  parameter -= learning_rate(i) / step.correction1 * ratio(first, denominator);
  parameters[i] = parameter;
  watch(i, gradients[i], parameter);
}
