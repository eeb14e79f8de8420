// The data that all optimisers read and change; one thread per parameter.
// @import common/index
// @import common/nan
// @import common/step
// @import optimizers/blocks

struct Sizes { count: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read_write> parameters: array<f32>;
@group(0) @binding(2) var<storage, read> gradients: array<f32>;

// By metrics slot, the first parameter whose gradient is not finite, and the first that is not finite itself after the
// step; NOWHERE, which the slot holds before, if there is none. Unused unless WATCHED.
@group(0) @binding(7) var<storage, read_write> faults: array<atomic<u32>>;

const WATCHED = false;

// The factor for gradients; 0 if the step is skipped. Unused unless FACTORED.
@group(0) @binding(8) var<uniform> factors: array<vec4f, 1>;

const FACTORED = false;

fn learning_rate(i: u32) -> f32 {
  return step.lr * rate_factor(i);
}

fn weight_decay(i: u32) -> f32 {
  return step.weight_decay * decay_factor(i);
}

fn gradient_at(i: u32) -> f32 {
  var gradient = gradients[i];
  if (FACTORED) {
    gradient *= factors[0].x;
  }
  return gradient;
}

// Whether parameter i and its optimiser states do not change.
fn is_skipped(i: u32) -> bool {
  if (i >= sizes.count) { return true; }
  if (!is_trained(i)) { return true; }
  if (FACTORED) {
    return factors[0].y == 0.0;
  } else {
    return false;
  }
}

// Records values that are not finite. The smallest index does not depend on the order of threads.
fn watch(i: u32, gradient: f32, parameter: f32) {
  if (WATCHED) {
    if (!is_finite(gradient)) { atomicMin(&faults[2u * step.metrics_slot], i); }
    if (!is_finite(parameter)) { atomicMin(&faults[2u * step.metrics_slot + 1u], i); }
  }
}

// a / b, but 0 / 0 is 0: where there never was a gradient, as between two parameters, nothing changes, even without an
// epsilon.
fn ratio(a: f32, b: f32) -> f32 {
  return select(a / b, 0.0, a == 0.0 && b == 0.0);
}
