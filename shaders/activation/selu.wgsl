// SCALE v where it is positive, else SCALE ALPHA (e^v - 1).
// @import common/exponential

const ALPHA = 1.6732632;
const SCALE = 1.050701;

fn activation(v: f32) -> f32 {
  return SCALE * select(v, ALPHA * exp_minus_one(min(v, 0.0)), v <= 0.0);
}

fn slope(v: f32) -> f32 {
  return SCALE * select(1.0, ALPHA * exp(min(v, 0.0)), v <= 0.0);
}
