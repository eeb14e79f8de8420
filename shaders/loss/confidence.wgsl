// The confidence of each prediction: the largest probability of the softmax, one thread per sample. Logits that are not
// finite give NaN.
// @import common/index
// @import common/nan

struct Sizes { rows: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> logits: array<f32>; // [rows, CLASSES]
@group(0) @binding(2) var<storage, read_write> confidences: array<f32>; // [rows]

const CLASSES = 1u;
const SPAN = 256u; // classes whose sums are added up by themselves: long sums lose less precision

@compute @workgroup_size(64)
fn main(invocation: Invocation) {
  let row = item_index(invocation, 64u);
  if (row >= sizes.rows) { return; }
  let base = row * CLASSES;
  var largest = logits[base];
  for (var c = 1u; c < CLASSES; c++) {
    if (beats(logits[base + c], largest)) { largest = logits[base + c]; }
  }
  // Minus the largest, so no exponential overflows.
  var sum = 0.0;
  for (var first = 0u; first < CLASSES; first += SPAN) {
    var part = 0.0;
    for (var c = first; c < min(CLASSES, first + SPAN); c++) { part += exp(logits[base + c] - largest); }
    sum += part;
  }
  confidences[row] = select(to_nan(largest), 1.0 / sum, is_finite(largest));
}
