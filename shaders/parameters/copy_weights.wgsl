// Copies weights to the type of activations, filters also to their layout: from [K, CHANNELS, POSITIONS] to
// [K, POSITIONS, CHANNELS]. `blocks` has five words for each workgroup: where its parameter starts, its channels and positions, the
// first filter and channel that it copies, counted together, and how many. One thread per filter and channel.
// @import common/index
// @import common/number

struct Sizes { blocks: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> parameters: array<f32>;
@group(0) @binding(2) var<storage, read> blocks: array<u32>;
@group(0) @binding(3) var<storage, read_write> copied: array<Number>;

const THREADS = 256u;

@compute @workgroup_size(THREADS)
fn main(invocation: Invocation) {
  let block = 5u * workgroup_index(invocation);
  if (block >= 5u * sizes.blocks || invocation.local >= blocks[block + 4u]) { return; }
  let start = blocks[block];
  let channels = blocks[block + 1u];
  let positions = blocks[block + 2u];
  let own = blocks[block + 3u] + invocation.local;
  let first = start + own * positions;
  let written = start + own / channels * positions * channels + own % channels;
  for (var i = 0u; i < positions; i++) {
    copied[written + i * channels] = Number(parameters[first + i]);
  }
}
