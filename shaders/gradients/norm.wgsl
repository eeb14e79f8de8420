// The second pass over the gradients' squares if their norm is only reported: writes it to the step's slot of a ring,
// in one workgroup and a fixed order.
// @import common/step
// @import gradients/total

struct Sizes { parts: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> sums: array<f32>; // [parts]
@group(0) @binding(2) var<storage, read> scaling: array<f32>; // the loss scale comes first; unused unless SCALED
@group(0) @binding(3) var<storage, read_write> norms: array<f32>; // by metrics slot

const SCALED = false;

@compute @workgroup_size(THREADS)
fn main(@builtin(local_invocation_index) local: u32) {
  let total = total_of_parts(sizes.parts, local);
  if (local == 0u) {
    var norm = sqrt(total);
    if (SCALED) { norm /= scaling[0]; }
    norms[step.metrics_slot] = norm;
  }
}
