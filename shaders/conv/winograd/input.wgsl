// Transforms inputs: x for fprop and wgrad, dy for dgrad.
// @import conv/winograd/image

const PATCH = TILE;

fn transform(line: array<f32, PATCH>) -> array<f32, TILE> {
  return input_transform(line);
}
