// Copies the weights into the layout of a uniform: consecutive in float32, as vectors of four. One thread per weight.
// @import common/index
// @import conv/direct/weights

@group(0) @binding(0) var<storage, read> w: array<Number>;
@group(0) @binding(1) var<storage, read_write> weights: array<f32>;

@compute @workgroup_size(64)
fn main(invocation: Invocation) {
  let i = item_index(invocation, 64u);
  if (i < K * CRS) {
    weights[i] = f32(w[weight_index(i / CRS, i % CRS / RS, i % RS / S, i % S)]);
  }
}
