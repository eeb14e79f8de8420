// The offset of a filter position from a window's start: channel (of planes of that many values), row, column.
// @import conv/problem

fn filter_position(k: u32, plane: u32) -> vec4u {
  return vec4u(k / RS * plane, k % RS / S * DILATION_V, k % S * DILATION_H, 0u);
}
