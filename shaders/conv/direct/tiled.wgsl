// The tiles of direct/tile with weights where they are.
// @import conv/direct/tile
// @import conv/direct/weights

@group(0) @binding(5) var<storage, read> w: array<Number>;

fn channel(k: u32, c: u32, first: u32) -> f32 {
  var sum = 0.0;
  for (var r = 0u; r < R; r++) {
    for (var s = 0u; s < S; s++) {
      sum += f32(w[weight_index(k, c, r, s)]) * field[first + r * DILATION_V * PATCH_W + s * DILATION_H];
    }
  }
  return sum;
}
