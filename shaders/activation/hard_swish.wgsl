// v (v + 3) / 6 between -3 and 3, 0 below and v above.

fn activation(v: f32) -> f32 {
  return select(select(v * (v + 3.0) / 6.0, v, v >= 3.0), 0.0, v <= -3.0);
}

fn slope(v: f32) -> f32 {
  return select(select(1.0, v / 3.0 + 0.5, v < 3.0), 0.0, v <= -3.0);
}
