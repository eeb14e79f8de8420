// Values computed from their place and a seed, which the CPU can reproduce exactly: integers
// over a power of two, uniform on [-1, 1). The hash is a xorshift-multiply of two rounds (Chris Wellons' lowbias32).
// @import conv/choice/own_index

alias Number = f32;
const BITS = 24u; // 24 fit into f32, 11 into f16

struct Sizes { count: u32, seed: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read_write> numbers: array<Number>;

fn hash(at: u32) -> u32 {
  var v = at ^ sizes.seed;
  v = (v ^ (v >> 16u)) * 0x7feb352du;
  v = (v ^ (v >> 15u)) * 0x846ca68bu;
  return v ^ (v >> 16u);
}

@compute @workgroup_size(64)
fn main(invocation: Invocation) {
  let i = own_index(invocation);
  if (i < sizes.count) {
    let whole = i32(hash(i) >> (32u - BITS)) - i32(1u << (BITS - 1u));
    numbers[i] = Number(f32(whole) / f32(1u << (BITS - 1u)));
  }
}
