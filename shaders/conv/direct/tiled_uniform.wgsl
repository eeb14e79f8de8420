// The tiles of direct/tile with weights in a uniform, where direct/pack has put them: all threads of a workgroup read
// the same four weights at the same time.
// @import conv/direct/tile
// @import conv/direct/packed

@group(0) @binding(5) var<uniform> weights: array<vec4f, K * CG * FOURS>;

fn channel(k: u32, c: u32, first: u32) -> f32 {
  let at = (k * CG + c) * FOURS;
  var sum = 0.0;
  // @unroll
  for (var i = 0u; i < FOURS; i++) {
    let four = weights[at + i];
    // @unroll
    for (var j = 0u; j < 4u; j++) {
      if (4u * i + j < RS) {
        sum += four[j] * field[first + (4u * i + j) / S * DILATION_V * PATCH_W + (4u * i + j) % S * DILATION_H];
      }
    }
  }
  return sum;
}
