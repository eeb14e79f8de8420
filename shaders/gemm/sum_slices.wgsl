// Adds the slices of each value, in order. If FEW, all loads are issued before the first addition.
// @import gemm/sliced_sums
// @import common/elements

const FEW = true;

fn number(slice: u32, i: u32) -> f32 {
  let weight = weight_slices[slice * WEIGHTS + place_of(i)];
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
