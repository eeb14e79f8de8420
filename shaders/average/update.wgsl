// Updates an exponential moving average with this step's values; one thread per value.
// @import common/index
// @import common/step

struct Sizes { count: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> values: array<f32>;
@group(0) @binding(2) var<storage, read_write> average: array<f32>;

@compute @workgroup_size(64)
fn main(invocation: Invocation) {
  let i = item_index(invocation, 64u);
  if (i >= sizes.count) { return; }
  average[i] += step.averaging * (values[i] - average[i]);
}
