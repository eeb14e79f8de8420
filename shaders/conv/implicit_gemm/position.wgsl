// A position of the filter, as the importing file's `place` describes it.
// @import conv/problem

fn filter_position(k: u32) -> vec4u {
  return place(k / RS, k % RS / S * DILATION_V, k % S * DILATION_H);
}
