// RMSProp, one thread per parameter. All states are zero before the first step; grad_avg stays so unless CENTERED.
// @import common/relu
// @import optimizers/update

@group(0) @binding(4) var<storage, read_write> square_avg: array<f32>;
@group(0) @binding(5) var<storage, read_write> momentum_buffer: array<f32>;
@group(0) @binding(6) var<storage, read_write> grad_avg: array<f32>;

// Divides by the standard deviation of gradients instead of by their root mean square.
const CENTERED = false;

@compute @workgroup_size(64)
fn main(invocation: Invocation) {
  let i = item_index(invocation, 64u);
  if (is_skipped(i)) { return; }
  var parameter = parameters[i];
  let gradient = gradient_at(i) + weight_decay(i) * parameter;
  let square = step.beta2 * square_avg[i] + step.gain2 * gradient * gradient;
  square_avg[i] = square;
  var variance = square;
  if (CENTERED) {
    let mean = grad_avg[i] + step.gain2 * (gradient - grad_avg[i]);
    grad_avg[i] = mean;
    // Rounding can take it below zero.
    variance = relu(square - mean * mean);
  }
  let momentum = step.momentum * momentum_buffer[i] + ratio(gradient, sqrt(variance) + step.epsilon);
  momentum_buffer[i] = momentum;
  parameter -= learning_rate(i) * momentum;
  parameters[i] = parameter;
  watch(i, gradients[i], parameter);
}
