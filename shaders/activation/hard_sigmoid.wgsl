// SLOPE v + 1/2, but at least 0 and at most 1, which it reaches at LIMIT.

const SLOPE = 0.16666667;
const LIMIT = 3.0;

fn activation(v: f32) -> f32 {
  return select(select(SLOPE * v + 0.5, 1.0, v >= LIMIT), 0.0, v <= -LIMIT);
}

fn slope(v: f32) -> f32 {
  return select(0.0, SLOPE, abs(v) < LIMIT);
}
