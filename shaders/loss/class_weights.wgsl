// Each class's weight in a batch: the given one times the number of samples, divided by the sum of the weights of their
// labels. The mean of losses with these weights is the weighted mean with the given ones. All are 0 where the sum is. One
// workgroup, in a fixed order.
// @import common/step

struct Sizes { rows: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> labels: array<u32>;
@group(0) @binding(2) var<storage, read> weights: array<f32>; // [CLASSES]
@group(0) @binding(3) var<storage, read> scaling: array<f32>; // the loss scale; unused unless SCALED
@group(0) @binding(4) var<storage, read_write> scaled: array<f32>; // the loss scale, then the classes' weights

const CLASSES = 1u;
const SCALED = false;

const THREADS = 256u;
var<workgroup> sums: array<f32, THREADS>;

@compute @workgroup_size(THREADS)
fn main(@builtin(local_invocation_index) local: u32) {
  let count = min(step.count, sizes.rows);
  var sum = 0.0;
  for (var row = local; row < count; row += THREADS) { sum += weights[labels[row]]; }
  sums[local] = sum;
  workgroupBarrier();
  for (var half = THREADS / 2u; half > 0u; half /= 2u) {
    if (local < half) { sums[local] += sums[local + half]; }
    workgroupBarrier();
  }
  let factor = select(0.0, f32(count) / sums[0], sums[0] > 0.0);
  for (var c = local; c < CLASSES; c += THREADS) { scaled[1u + c] = weights[c] * factor; }
  if (local == 0u) {
    var scale = 1.0;
    if (SCALED) { scale = scaling[0]; }
    scaled[0] = scale;
  }
}
