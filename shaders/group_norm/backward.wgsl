// dx = (dy weight - mean of dy weight - z mean of dy weight z) / deviation, where z is x normalised: mean and variance depend
// on x too.
// @import common/input_gradient
// @import group_norm/groups

struct Sizes { count: u32 } // elements
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> x: array<Number>;
@group(0) @binding(2) var<storage, read> dy: array<Number>;
@group(0) @binding(3) var<storage, read> statistics: array<Statistics>;
@group(0) @binding(4) var<storage, read> means: array<vec2f>;
@group(0) @binding(5) var<storage, read> weight: array<f32>;
@group(0) @binding(6) var<storage, read_write> dx: array<Number>;

const AFFINE = true;

fn gradient(i: u32) -> f32 {
  let known = statistics[i / LENGTH];
  let mean = means[i / LENGTH];
  var own = f32(dy[i]);
  if (AFFINE) {
    own *= weight[i / PLANE % C];
  }
  return (own - mean.x - (f32(x[i]) - known.mean) * known.scale * mean.y) * known.scale;
}
