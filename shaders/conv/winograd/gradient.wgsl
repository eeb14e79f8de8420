// Transforms tiles of dy for wgrad, which act as filters.
// @import conv/winograd/image

const PATCH = OUTPUTS;

fn transform(line: array<f32, PATCH>) -> array<f32, TILE> {
  return gradient_transform(line);
}
