// The mean of the logits of an image's views (see gather/batch), one thread per image and class. Of six views, the two that are
// not shifted count twice.
// @import common/index

struct Sizes { rows: u32 } // images
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> views: array<f32>; // [rows, VIEWS, CLASSES]
@group(0) @binding(2) var<storage, read_write> logits: array<f32>; // [rows, CLASSES]

const VIEWS = 2u;
const CLASSES = 1u;

@compute @workgroup_size(64)
fn main(invocation: Invocation) {
  let i = item_index(invocation, 64u);
  if (i >= sizes.rows * CLASSES) { return; }
  let first = i / CLASSES * VIEWS * CLASSES + i % CLASSES;
  var mean = 0.0;
  for (var view = 0u; view < VIEWS; view++) {
    let weight = select(0.125, select(0.25, 0.5, VIEWS == 2u), view < 2u);
    mean += weight * views[first + view * CLASSES];
  }
  logits[i] = mean;
}
