// What the optimiser does with each block of parameters.
@group(0) @binding(3) var<storage, read> blocks: array<vec2u>; // by block: flags, factor of the learning rate; unused unless SELECTIVE

// Not all parameters are treated alike.
const SELECTIVE = false;
// Parameters that share an element of `blocks`.
const BLOCK = 64u;

const TRAINED = 1u;
const DECAYED = 2u;
const MATRIX = 4u; // updated as a matrix; only if SELECTIVE

fn has_flag(i: u32, flag: u32) -> bool {
  if (SELECTIVE) {
    return (blocks[i / BLOCK].x & flag) != 0u;
  } else {
    return true;
  }
}

fn rate_factor(i: u32) -> f32 {
  if (SELECTIVE) {
    return bitcast<f32>(blocks[i / BLOCK].y);
  } else {
    return 1.0;
  }
}
