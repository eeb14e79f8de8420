// Stochastic gradient descent with momentum and weight decay, one thread per parameter. The buffer is zero before the
// first step.
// @import optimizers/update

@group(0) @binding(4) var<storage, read_write> momentum_buffer: array<f32>;

const NESTEROV = false;

@compute @workgroup_size(64)
fn main(invocation: Invocation) {
  let i = item_index(invocation, 64u);
  if (is_skipped(i)) { return; }
  var parameter = parameters[i];
  let gradient = gradient_at(i) + weight_decay(i) * parameter;
  let momentum = step.momentum * momentum_buffer[i] + gradient;
  momentum_buffer[i] = momentum;
  parameter -= learning_rate(i) * select(momentum, gradient + step.momentum * momentum, NESTEROV);
  parameters[i] = parameter;
  watch(i, gradients[i], parameter);
}
