// Tiles of dy at the points, for wgrad: there they are the filter.
// @import conv/winograd_f2x3/transforms
// @import conv/winograd/image

const PATCH = OUTPUTS;

fn transform(line: array<f32, PATCH>) -> array<f32, TILE> {
  return gradient_transform(line);
}
