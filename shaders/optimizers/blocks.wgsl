// Flags of each block of parameters, for the optimiser.
@group(0) @binding(3) var<storage, read> blocks: array<u32>; // by block; unused unless SELECTIVE

// Not all parameters have all flags.
const SELECTIVE = false;
// Parameters that share a word of `blocks`.
const BLOCK = 64u;

const TRAINED = 1u;
const DECAYED = 2u;
const MATRIX = 4u; // updated as a matrix; only if SELECTIVE

fn has_flag(i: u32, flag: u32) -> bool {
  if (SELECTIVE) {
    return (blocks[i / BLOCK] & flag) != 0u;
  } else {
    return true;
  }
}
