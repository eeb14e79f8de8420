// Before the optimiser changes the parameters: copies them, and adds up the squares of gradients and of parameters.
// @import measures/chunks
// @import optimizers/blocks

@group(0) @binding(2) var<storage, read> parameters: array<f32>;
@group(0) @binding(4) var<storage, read> gradients: array<f32>;
@group(0) @binding(5) var<storage, read> scaling: array<f32>; // the loss scale comes first; unused unless SCALED
@group(0) @binding(6) var<storage, read_write> before: array<f32>;
@group(0) @binding(7) var<storage, read_write> sums: array<vec2f>; // of gradients, of parameters

const SCALED = false;

// What a parameter's gradient adds: only those that are trained count.
fn gradient_square(i: u32) -> f32 {
  if (!is_trained(i)) { return 0.0; }
  var gradient = gradients[i];
  if (SCALED) { gradient /= scaling[0]; }
  return gradient * gradient;
}

@compute @workgroup_size(THREADS)
fn main(invocation: Invocation) {
  let chunk = chunk_of(invocation);
  var gradient = 0.0;
  var weights = 0.0;
  for (var i = chunk.x + invocation.local; i < chunk.y; i += THREADS) {
    let parameter = parameters[i];
    before[i] = parameter;
    gradient += gradient_square(i);
    weights += parameter * parameter;
  }
  let sum = vec2f(shared_sum(gradient, invocation.local), shared_sum(weights, invocation.local));
  if (has_sum(invocation)) { sums[sum_index(invocation)] = sum; }
}
