// One value per element. Each thread computes EACH of them, WIDTH apart, and all before it stores the first, to hide
// latency. The importing file has sizes.count and
//
//   fn value(i: u32) -> f32 element i; its result past the last element does not matter fn store(i: u32, v: f32)
// @import common/index

const WIDTH = 64u;
const EACH = 4u;

@compute @workgroup_size(WIDTH)
fn main(invocation: Invocation) {
  let first = item_index(invocation, WIDTH * EACH);
  var values: array<f32, EACH>;
  // @unroll
  for (var j = 0u; j < EACH; j++) {
    values[j] = value(first + j * WIDTH);
  }
  // @unroll
  for (var j = 0u; j < EACH; j++) {
    if (first + j * WIDTH < sizes.count) {
      store(first + j * WIDTH, values[j]);
    }
  }
}
