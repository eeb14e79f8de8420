// Applies a convolution's epilogue to a bare result: bias and ReLU, or the mask of the ReLU
// before it.
// @import conv/choice/own_index

alias Number = f32;
const MASKED = false; // extra is the mask, of the result's size; otherwise a bias
const CHANNELS = 1u;
const PLANE = 1u; // values per channel

struct Sizes { count: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> extra: array<Extra>;
@group(0) @binding(2) var<storage, read_write> result: array<Number>;

alias Extra = f32; // the type of the mask or bias

@compute @workgroup_size(64)
fn main(invocation: Invocation) {
  let i = own_index(invocation);
  if (i >= sizes.count) {
    return;
  }
  if (MASKED) {
    result[i] = select(Number(0.0), result[i], f32(extra[i]) > 0.0);
  } else {
    result[i] = Number(max(f32(result[i]) + f32(extra[i / PLANE % CHANNELS]), 0.0));
  }
}
