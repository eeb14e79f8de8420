// 1 / (1 + e^-v). The exponential's argument is never positive, so nothing overflows.
fn sigmoid(v: f32) -> f32 {
  let e = exp(-abs(v));
  return select(e, 1.0, v >= 0.0) / (1.0 + e);
}

// Its slope, sigmoid(v) (1 - sigmoid(v)), without the difference.
fn sigmoid_slope(v: f32) -> f32 {
  let e = exp(-abs(v));
  return e / ((1.0 + e) * (1.0 + e));
}
