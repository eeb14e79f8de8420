// @import common/sigmoid

fn activation(v: f32) -> f32 {
  return sigmoid(v);
}

fn slope(v: f32) -> f32 {
  return sigmoid_slope(v);
}
