// One value per element. Each thread computes EACH of them, GROUP apart, and all before it stores the first, to hide
// latency. The importing file has sizes.count and
//
//   fn value(i: u32) -> Element    element i; its result past the last element does not matter
//   fn store(i: u32, v: Element)
// @import common/index

alias Element = f32; // or four of them
const GROUP = 64u; // threads
const EACH = 4u;

@compute @workgroup_size(GROUP)
fn main(invocation: Invocation) {
  let first = item_index(invocation, GROUP * EACH);
  var values: array<Element, EACH>;
  // @unroll
  for (var j = 0u; j < EACH; j++) {
    values[j] = value(first + j * GROUP);
  }
  // @unroll
  for (var j = 0u; j < EACH; j++) {
    if (first + j * GROUP < sizes.count) {
      store(first + j * GROUP, values[j]);
    }
  }
}
