// Copies the weights into the layout of a uniform, in float32. One thread per value.
// @import common/index
// @import conv/direct/weights
// @import conv/direct/packed

@group(0) @binding(0) var<storage, read> w: array<Number>;
@group(0) @binding(1) var<storage, read_write> weights: array<f32>;

@compute @workgroup_size(64)
fn main(invocation: Invocation) {
  let i = item_index(invocation, 64u);
  let channel = i / (4u * FOURS);
  let at = i % (4u * FOURS);
  if (channel < K * CG && at < RS) {
    weights[i] = f32(w[weight_index(channel / CG, channel % CG, at / S, at % S)]);
  }
}
