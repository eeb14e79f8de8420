// The second pass of a sum that was cut into SLICES: adds the slices of each number, in order. Two arrays at once: a
// layer's weights and its bias. Where FEW, all slices of a number are on their way before the first is added.
// @import common/elements

struct Sizes { count: u32 } // WEIGHTS + BIASES
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> weight_slices: array<f32>;
@group(0) @binding(2) var<storage, read> bias_slices: array<f32>;
@group(0) @binding(3) var<storage, read_write> dw: array<f32>;
@group(0) @binding(4) var<storage, read_write> db: array<f32>;

const SLICES = 2u;
const WEIGHTS = 1u; // numbers in a slice of the first array
const BIASES = 1u; // and of the second
const FEW = true;

fn number(slice: u32, i: u32) -> f32 {
  let weight = weight_slices[slice * WEIGHTS + i];
  return select(weight, bias_slices[slice * BIASES + i - WEIGHTS], i >= WEIGHTS);
}

fn value(i: u32) -> f32 {
  var sum = 0.0;
  if (FEW) {
    // @unroll
    for (var slice = 0u; slice < SLICES; slice++) {
      sum += number(slice, i);
    }
  } else {
    for (var slice = 0u; slice < SLICES; slice++) {
      sum += number(slice, i);
    }
  }
  return sum;
}

fn store(i: u32, v: f32) {
  if (i < WEIGHTS) {
    dw[i] = v;
  } else {
    db[i - WEIGHTS] = v;
  }
}
