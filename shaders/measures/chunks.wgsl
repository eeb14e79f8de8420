// Sums over chunks of parameters, each of one layer: one workgroup a chunk, in a fixed order. Without SHARED each thread has a sum of
// its own, because barriers slow down software adapters.
// @import common/index
// @import common/shared_sum

struct Sizes { chunks: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> chunks: array<vec2u>; // from which parameter to before which

// The workgroup's chunk; empty for those that only fill the grid.
fn chunk_of(at: Invocation) -> vec2u {
  let chunk = workgroup_index(at);
  if (chunk < sizes.chunks) {
    return chunks[chunk];
  } else {
    return vec2u(0u);
  }
}

// Whether a thread has a sum to store, and where.
fn has_sum(at: Invocation) -> bool {
  return workgroup_index(at) < sizes.chunks && (!SHARED || at.local == 0u);
}

fn sum_index(at: Invocation) -> u32 {
  return select(item_index(at, THREADS), workgroup_index(at), SHARED);
}
