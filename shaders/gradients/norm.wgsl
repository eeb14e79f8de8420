// The second pass over the gradients' squares where their norm is only told: written to the step's slot of a ring. In one
// workgroup and a fixed order.
// @import common/step

struct Sizes { parts: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> sums: array<f32>; // [parts]
@group(0) @binding(2) var<storage, read> scaling: array<f32>; // the loss's scale comes first; unused unless SCALED
@group(0) @binding(3) var<storage, read_write> norms: array<f32>; // by metrics slot

const SCALED = false;
const THREADS = 256u;

var<workgroup> totals: array<f32, THREADS>;

@compute @workgroup_size(THREADS)
fn main(@builtin(local_invocation_index) local: u32) {
  var total = 0.0;
  for (var part = local; part < sizes.parts; part += THREADS) { total += sums[part]; }
  totals[local] = total;
  workgroupBarrier();
  for (var half = THREADS / 2u; half > 0u; half /= 2u) {
    if (local < half) { totals[local] += totals[local + half]; }
    workgroupBarrier();
  }
  if (local == 0u) {
    var norm = sqrt(totals[0]);
    if (SCALED) { norm /= scaling[0]; }
    norms[step.metrics_slot] = norm;
  }
}
