// The factor of element i in dropout: randomly 0, else SCALE. The backward pass recomputes the same factors.
// @import common/step
// @import common/random

const DROPPED = 8388608u; // of 2^24 equally likely words
const SCALE = 2.0;

fn factor(stream: u32, i: u32) -> f32 {
  return select(SCALE, 0.0, (random_words(step.seed, stream, i).x >> 8u) < DROPPED);
}
