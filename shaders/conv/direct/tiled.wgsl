// The tiles of direct/tile with weights where they are.
// @import conv/direct/tile
// @import conv/direct/weights

@group(0) @binding(5) var<storage, read> w: array<Number>;

fn weight(k: u32, c: u32, r: u32, s: u32) -> f32 {
  return f32(w[weight_index(k, c, r, s)]);
}
