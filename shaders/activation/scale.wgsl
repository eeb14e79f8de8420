// FACTOR v.

const FACTOR = 1.0;

fn activation(v: f32) -> f32 {
  return FACTOR * v;
}

fn slope(v: f32) -> f32 {
  return FACTOR;
}
