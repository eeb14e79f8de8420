// v sigmoid(v)
// @import common/sigmoid

fn activation(v: f32) -> f32 {
  return v * sigmoid(v);
}

fn slope(v: f32) -> f32 {
  return sigmoid(v) + v * sigmoid_slope(v);
}
