// The second pass over the gradients' squares, in one workgroup and a fixed order: the factor for the gradients, and
// whether the step is taken at all. If SCALED, the loss was multiplied by a scale, which is divided out here and
// adapted: it is halved when the norm overflows, and the step is skipped; it is doubled after `patience` steps without
// overflow. If CLIPPED, larger gradients are scaled down to a norm, as in PyTorch's clip_grad_norm_.
// @import common/nan
// @import common/shared_sum

struct Sizes {
  parts: u32,
  largest: f32, // norm; unused unless CLIPPED
  patience: f32, // steps; this and the following are unused unless SCALED
  least: f32, // scale: a step that overflows at this scale is taken, to expose the error
  most: f32,
}
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> sums: array<f32>; // [parts]
@group(0) @binding(2) var<storage, read_write> scaling: array<f32>; // the scale, and steps since it changed
@group(0) @binding(3) var<storage, read_write> factors: array<vec4f>; // [1]: the multiplier; 0 if the step is skipped

const CLIPPED = false;
const SCALED = false;

@compute @workgroup_size(THREADS)
fn main(@builtin(local_invocation_index) local: u32) {
  var own = 0.0;
  for (var part = local; part < sizes.parts; part += THREADS) { own += sums[part]; }
  let total = shared_sum(own, local);
  if (local == 0u) {
    var norm = sqrt(total);
    var multiplier = 1.0;
    var taken = 1.0;
    if (SCALED) {
      let scale = scaling[0];
      let fits = is_finite(total);
      multiplier = 1.0 / scale;
      norm *= multiplier;
      let waited = scaling[1] + 1.0;
      let grows = fits && waited >= sizes.patience;
      scaling[0] = select(max(0.5 * scale, sizes.least), select(scale, min(2.0 * scale, sizes.most), grows), fits);
      scaling[1] = select(waited, 0.0, grows || !fits);
      taken = select(0.0, 1.0, fits || scale <= sizes.least);
    }
    if (CLIPPED) {
      let wanted = sizes.largest / (norm + 1e-6);
      // Not min(), which would make 1 of NaN.
      multiplier *= select(wanted, 1.0, wanted > 1.0);
    }
    factors[0] = vec4f(multiplier, taken, 0.0, 0.0);
  }
}
