// v times the chance of a normal number to be below v. Where TANH, that chance is (1 + tanh(u)) / 2 = sigmoid(2 u) with
// u = sqrt(2 / pi) (v + 0.044715 v^3). Factors of v stay outside of all clamping, so NaN comes through.
// @import common/sigmoid
// @import gelu/normal

const TANH = false;

const SCALE = 1.5957691216; // 2 sqrt(2 / pi)
const CUBIC = 0.044715;

// Beyond 12 the sigmoid of 2 u is 0 or 1 in float32, and a cube could overflow.
fn near(v: f32) -> f32 {
  return clamp(v, -12.0, 12.0);
}

fn twice_u(v: f32) -> f32 {
  return SCALE * v * (1.0 + CUBIC * v * v);
}

fn activation(v: f32) -> f32 {
  if (TANH) {
    return v * sigmoid(twice_u(near(v)));
  } else {
    return v * normal_cdf(v);
  }
}

fn slope(v: f32) -> f32 {
  if (TANH) {
    let a = near(v);
    let u = twice_u(a);
    return sigmoid(u) + v * (sigmoid_slope(u) * SCALE * (1.0 + 3.0 * CUBIC * a * a));
  } else {
    return normal_cdf(v) + v * normal_density(v);
  }
}
