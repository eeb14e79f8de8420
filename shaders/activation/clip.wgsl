// v, but at least MIN and at most MAX.

const MIN = 0.0;
const MAX = 6.0;

fn activation(v: f32) -> f32 {
  // Unlike clamp, preserves NaN.
  return select(select(v, MAX, v >= MAX), MIN, v <= MIN);
}

fn slope(v: f32) -> f32 {
  return select(1.0, 0.0, v <= MIN || v >= MAX);
}
