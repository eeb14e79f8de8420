// Lookahead: moves the slow weights towards the fast ones, which return to them; nothing in steps whose factor is 0. `blocks`
// has two words for each workgroup: the first of its values, and how many.
// @import common/index
// @import common/step

struct Sizes { blocks: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> blocks: array<u32>;
@group(0) @binding(2) var<storage, read_write> slow: array<f32>;
@group(0) @binding(3) var<storage, read_write> fast: array<f32>;

const THREADS = 64u;

@compute @workgroup_size(THREADS)
fn main(invocation: Invocation) {
  let block = 2u * workgroup_index(invocation);
  if (block >= 2u * sizes.blocks || step.averaging == 0.0) { return; }
  let first = blocks[block];
  for (var i = invocation.local; i < blocks[block + 1u]; i += THREADS) {
    let moved = slow[first + i] + step.averaging * (fast[first + i] - slow[first + i]);
    slow[first + i] = moved;
    fast[first + i] = moved;
  }
}
