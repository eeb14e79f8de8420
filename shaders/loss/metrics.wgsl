// Sums a batch's losses and counts its correct predictions, in one workgroup and a fixed order, into this step's pair
// of the metrics ring. With mixup, a prediction counts by the share of the label that it equals.
// @import common/step

struct Sizes { rows: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> losses: array<f32>;
@group(0) @binding(2) var<storage, read> predictions: array<u32>;
@group(0) @binding(3) var<storage, read> labels: array<u32>;
@group(0) @binding(4) var<storage, read> partners: array<u32>; // unused unless AUGMENTED
@group(0) @binding(5) var<storage, read_write> metrics: array<f32>; // pairs: loss sum, correct

const AUGMENTED = false; // as in softmax_cross_entropy

const THREADS = 256u;
var<workgroup> sums: array<vec2f, THREADS>;

@compute @workgroup_size(THREADS)
fn main(@builtin(local_invocation_index) local: u32) {
  var sum = vec2f();
  for (var row = local; row < min(step.count, sizes.rows); row += THREADS) {
    var correct = select(0.0, 1.0, predictions[row] == labels[row]);
    if (AUGMENTED && step.mix < 1.0) {
      correct = step.mix * correct + select(0.0, 1.0 - step.mix, predictions[row] == partners[row]);
    }
    sum += vec2f(losses[row], correct);
  }
  sums[local] = sum;
  workgroupBarrier();
  for (var half = THREADS / 2u; half > 0u; half /= 2u) {
    if (local < half) { sums[local] += sums[local + half]; }
    workgroupBarrier();
  }
  if (local == 0u) {
    metrics[2u * step.metrics_slot] = sums[0].x;
    metrics[2u * step.metrics_slot + 1u] = sums[0].y;
  }
}
