// v where it is positive, else NEGATIVE_SLOPE v.

const NEGATIVE_SLOPE = 0.01;

fn activation(v: f32) -> f32 {
  // Preserves NaN, even if a compiler replaces 0 v by 0.
  return select(v, NEGATIVE_SLOPE * v, v <= 0.0);
}

fn slope(v: f32) -> f32 {
  return select(NEGATIVE_SLOPE, 1.0, v > 0.0);
}
