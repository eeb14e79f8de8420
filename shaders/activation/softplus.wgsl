// log(1 + e^(BETA v)) / BETA, and v itself where BETA v is above THRESHOLD.
// @import common/exponential
// @import common/sigmoid

const BETA = 1.0;
const THRESHOLD = 20.0;

fn activation(v: f32) -> f32 {
  let b = BETA * v;
  let sum = select(0.0, b, b > 0.0) + log_one_plus(exp(-abs(b)));
  return select(sum / BETA, v, b > THRESHOLD);
}

fn slope(v: f32) -> f32 {
  let b = BETA * v;
  return select(sigmoid(b), 1.0, b > THRESHOLD);
}
