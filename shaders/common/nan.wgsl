// By bits, since compilers may assume that there is no NaN: v != v is false for NaN on some.
fn is_nan(v: f32) -> bool {
  return (bitcast<u32>(v) & 0x7fffffffu) > 0x7f800000u;
}

fn is_finite(v: f32) -> bool {
  return (bitcast<u32>(v) & 0x7f800000u) != 0x7f800000u;
}

// NaN, from a value that is not finite.
fn to_nan(v: f32) -> f32 {
  return bitcast<f32>(bitcast<u32>(v) | 0x7fc00000u);
}

// True if v replaces `largest` in a search for the maximum, in which NaN is larger than all numbers.
fn beats(v: f32, largest: f32) -> bool {
  return is_nan(v) || (v > largest && !is_nan(largest));
}
