// Adds the slices of y or dx in order and finishes them: a bias and ReLU, or only where MASK is positive, which then is
// the output of a ReLU.
// @import common/elements
// @import common/relu

alias Number = f32;

struct Sizes { count: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> slices: array<f32>;
@group(0) @binding(2) var<storage, read> bias: array<f32>;
@group(0) @binding(3) var<storage, read> mask: array<Number>;
@group(0) @binding(4) var<storage, read_write> result: array<Number>;

const SLICES = 2u;
const CHANNELS = 1u;
const PLANE = 1u;
const HAS_BIAS = false;
const RELU = false;
const MASK = false;

fn value(i: u32) -> f32 {
  var sum = 0.0;
  // @unroll
  for (var slice = 0u; slice < SLICES; slice++) {
    sum += slices[slice * sizes.count + i];
  }
  if (HAS_BIAS) { sum += bias[i / PLANE % CHANNELS]; }
  if (RELU) { sum = relu(sum); }
  if (MASK) { sum = relu_gradient(f32(mask[i]), sum); }
  return sum;
}

fn store(i: u32, v: f32) {
  result[i] = Number(v);
}
