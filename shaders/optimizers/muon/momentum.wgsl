// The first pass of Muon, one thread per parameter: momentum, and the step of all parameters that are not matrices, as in
// SGD. The buffer is zero before the first step.
// @import optimizers/update

@group(0) @binding(4) var<storage, read_write> momentum_buffer: array<f32>;
@group(0) @binding(5) var<storage, read_write> updates: array<f32>; // of matrices, as long as the parameters

const NESTEROV = false;

@compute @workgroup_size(64)
fn main(invocation: Invocation) {
  let i = item_index(invocation, 64u);
  if (is_skipped(i)) { return; }
  var parameter = parameters[i];
  let matrix = is_matrix(i);
  let gradient = gradient_at(i) + select(weight_decay(i), 0.0, matrix) * parameter;
  let momentum = step.momentum * momentum_buffer[i] + gradient;
  momentum_buffer[i] = momentum;
  let update = select(momentum, gradient + step.momentum * momentum, NESTEROV);
  if (matrix) {
    updates[i] = update;
  } else {
    parameter -= learning_rate(i) * update;
    parameters[i] = parameter;
  }
  watch(i, gradients[i], parameter);
}
