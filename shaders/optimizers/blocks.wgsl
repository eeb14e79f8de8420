// What the optimiser does with each block of parameters.
// @import common/step

struct Block {
  flags: u32,
  rate: f32, // factor of the learning rate
  decay: f32, // factor of weight decay
  epochs: u32, // in which it is trained: the first one, and 65536 times the last one
}
@group(0) @binding(3) var<storage, read> blocks: array<Block>; // unused unless SELECTIVE

// Not all parameters are treated alike.
const SELECTIVE = false;
// Parameters that share an element of `blocks`.
const BLOCK = 64u;

const TRAINED = 1u;
const MATRIX = 2u; // updated as a matrix; only if SELECTIVE

fn is_trained(i: u32) -> bool {
  if (SELECTIVE) {
    let block = blocks[i / BLOCK];
    let first = block.epochs & 0xffffu;
    let last = block.epochs >> 16u;
    return (block.flags & TRAINED) != 0u && step.epoch >= first && step.epoch <= last;
  } else {
    return true;
  }
}

fn is_matrix(i: u32) -> bool {
  if (SELECTIVE) {
    return (blocks[i / BLOCK].flags & MATRIX) != 0u;
  } else {
    return false;
  }
}

fn rate_factor(i: u32) -> f32 {
  if (SELECTIVE) {
    return blocks[i / BLOCK].rate;
  } else {
    return 1.0;
  }
}

fn decay_factor(i: u32) -> f32 {
  if (SELECTIVE) {
    return blocks[i / BLOCK].decay;
  } else {
    return 1.0;
  }
}
