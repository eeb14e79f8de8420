// Softmax cross-entropy, one thread per sample: its loss, its predicted class (the first largest logit) and the gradient
// of the batch's mean loss, times a scale if SCALED. Rows from step.count are padding: zero loss and gradient. Logits
// that are not finite give NaN.
// @import common/number
// @import common/index
// @import common/nan
// @import common/step

struct Sizes {
  rows: u32,
  smoothing: f32, // unused unless SMOOTHED
}
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> logits: array<Number>; // [rows, CLASSES]
@group(0) @binding(2) var<storage, read> labels: array<u32>;
@group(0) @binding(3) var<storage, read> partners: array<u32>; // labels of the images blended in; unused unless AUGMENTED
@group(0) @binding(4) var<storage, read_write> losses: array<f32>;
@group(0) @binding(5) var<storage, read_write> predictions: array<u32>;
@group(0) @binding(6) var<storage, read_write> gradient: array<Number>; // like logits; unused unless WITH_GRADIENT
@group(0) @binding(7) var<storage, read> scaling: array<f32>; // the loss scale, the classes' weights; unused unless SCALED

const CLASSES = 1u;
const WITH_GRADIENT = true;
// The target probabilities are smoothing / CLASSES each, and the rest is the label's.
const SMOOTHED = false;
// With mixup, the label's part is shared: it gets step.mix of it, and the partner the rest.
const AUGMENTED = false;
const SCALED = false;
// The target probabilities are multiplied by the weights of their classes, which follow the loss scale.
const WEIGHTED = false;
const SPAN = 256u; // classes whose sums are added up by themselves: long sums lose less precision

@compute @workgroup_size(64)
fn main(invocation: Invocation) {
  let row = item_index(invocation, 64u);
  if (row >= sizes.rows) { return; }
  let base = row * CLASSES;
  var largest = f32(logits[base]);
  var prediction = 0u;
  for (var c = 1u; c < CLASSES; c++) {
    let v = f32(logits[base + c]);
    // The first NaN wins, as does the first of equal values.
    if (beats(v, largest) && !is_nan(largest)) {
      largest = v;
      prediction = c;
    }
  }
  let sample = row < step.count;
  let mixed = AUGMENTED && step.mix < 1.0;
  // Minus the largest, so no exponential overflows.
  var sum = 0.0;
  for (var first = 0u; first < CLASSES; first += SPAN) {
    var part = 0.0;
    for (var c = first; c < min(CLASSES, first + SPAN); c++) { part += exp(f32(logits[base + c]) - largest); }
    sum += part;
  }
  var wanted_logit = f32(logits[base + labels[row]]);
  if (mixed) {
    wanted_logit = step.mix * wanted_logit + (1.0 - step.mix) * f32(logits[base + partners[row]]);
  }
  var loss = log(sum) + largest - wanted_logit;
  var mass = 1.0; // the sum of the target
  if (WEIGHTED) {
    mass = scaling[1u + labels[row]];
    loss = mass * (log(sum) + largest - f32(logits[base + labels[row]]));
    if (mixed) {
      let share = (1.0 - step.mix) * scaling[1u + partners[row]];
      loss = step.mix * loss + share * (log(sum) + largest - f32(logits[base + partners[row]]));
      mass = step.mix * mass + share;
    }
  }
  if (SMOOTHED) {
    var below = 0.0;
    var weights = 0.0;
    for (var first = 0u; first < CLASSES; first += SPAN) {
      var part = 0.0;
      for (var c = first; c < min(CLASSES, first + SPAN); c++) {
        if (WEIGHTED) {
          weights += scaling[1u + c];
          part += scaling[1u + c] * (log(sum) + largest - f32(logits[base + c]));
        } else {
          part += largest - f32(logits[base + c]);
        }
      }
      below += part;
    }
    if (WEIGHTED) {
      loss = (1.0 - sizes.smoothing) * loss + sizes.smoothing * (below / f32(CLASSES));
      mass = (1.0 - sizes.smoothing) * mass + sizes.smoothing * (weights / f32(CLASSES));
    } else {
      loss = (1.0 - sizes.smoothing) * loss + sizes.smoothing * (log(sum) + below / f32(CLASSES));
    }
  }
  if (!is_finite(largest)) { loss = to_nan(largest); }
  losses[row] = select(0.0, loss, sample);
  predictions[row] = prediction;
  if (WITH_GRADIENT) {
    var scale = 1.0 / f32(step.count);
    if (SCALED) { scale *= scaling[0]; }
    for (var c = 0u; c < CLASSES; c++) {
      var wanted = select(0.0, 1.0, c == labels[row]);
      if (mixed) {
        wanted = step.mix * wanted + select(0.0, 1.0 - step.mix, c == partners[row]);
      }
      if (SMOOTHED) {
        wanted = (1.0 - sizes.smoothing) * wanted + sizes.smoothing / f32(CLASSES);
      }
      if (WEIGHTED) { wanted *= scaling[1u + c]; }
      var g = (exp(f32(logits[base + c]) - largest) / sum * mass - wanted) * scale;
      if (!is_finite(largest)) { g = to_nan(largest); }
      gradient[base + c] = Number(select(0.0, g, sample));
    }
  }
}
