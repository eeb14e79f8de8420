// Copies RUN values of every image: from FROM on in each FROM_STRIDE values of x to TO on in each TO_STRIDE of y. One
// thread per value.
// @import common/number
// @import common/index

struct Sizes { count: u32 } // N RUN
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> x: array<Number>;
@group(0) @binding(2) var<storage, read_write> y: array<Number>;

const RUN = 1u;
const FROM = 0u;
const FROM_STRIDE = 1u;
const TO = 0u;
const TO_STRIDE = 1u;

@compute @workgroup_size(64)
fn main(invocation: Invocation) {
  let i = item_index(invocation, 64u);
  if (i >= sizes.count) { return; }
  let image = i / RUN;
  let place = i % RUN;
  y[image * TO_STRIDE + TO + place] = x[image * FROM_STRIDE + FROM + place];
}
