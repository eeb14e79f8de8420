// Inputs at the points: x for fprop and wgrad, dy for dgrad.
// @import conv/winograd_f4x5/transforms
// @import conv/winograd/image

const PATCH = TILE;

fn transform(line: array<f32, PATCH>) -> array<f32, TILE> {
  return input_transform(line);
}
