// The tiles of direct/tile with weights in a uniform, where direct/pack has put them: all threads of a workgroup read
// the same weight at the same time.
// @import conv/direct/tile

const WEIGHT_VEC4 = 1u;
@group(0) @binding(5) var<uniform> weights: array<vec4f, WEIGHT_VEC4>;

fn weight(k: u32, c: u32, r: u32, s: u32) -> f32 {
  let i = k * CRS + c * RS + r * S + s;
  return weights[i / 4u][i % 4u];
}
