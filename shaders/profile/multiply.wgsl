// Multiplies and adds in registers, and nothing else: at the speed of a core's arithmetic.
// @import common/index

struct Sizes { rounds: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read_write> y: array<vec4f>;

const THREADS = 256u;
const SUMS = 8u; // vectors of four, so that additions need not wait for one another

@compute @workgroup_size(THREADS)
fn main(invocation: Invocation) {
  let i = item_index(invocation, THREADS);
  let factor = vec4f(1.0 / f32(sizes.rounds + i));
  var sums: array<vec4f, SUMS>;
  // @unroll
  for (var j = 0u; j < SUMS; j++) {
    sums[j] = factor + f32(j);
  }
  for (var round = 0u; round < sizes.rounds; round++) {
    // @unroll
    for (var j = 0u; j < SUMS; j++) {
      sums[j] = sums[j] * factor + factor;
    }
  }
  var total = vec4f();
  // @unroll
  for (var j = 0u; j < SUMS; j++) {
    total += sums[j];
  }
  y[i] = total;
}
