// The first pass of the gradients' norm: each workgroup, or without SHARED each thread, sums the squares of every `parts`-th
// share of the gradients. Barriers slow down software adapters.
// @import common/index
// @import common/shared_sum
// @import optimizers/blocks

struct Sizes { pieces: u32, parts: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
alias Piece = f32; // or four of them, if VEC4
@group(0) @binding(1) var<storage, read> gradients: array<Piece>;
@group(0) @binding(2) var<storage, read_write> sums: array<f32>; // [parts]

const VEC4 = false;
const WIDTH = select(1u, 4u, VEC4);

fn square(piece: Piece) -> f32 {
  if (VEC4) {
    return dot(vec4f(piece), vec4f(piece));
  } else {
    return vec4f(piece * piece).x;
  }
}

@compute @workgroup_size(THREADS)
fn main(invocation: Invocation) {
  let item = item_index(invocation, THREADS);
  let part = select(item, item / THREADS, SHARED);
  let apart = select(sizes.parts, sizes.parts * THREADS, SHARED);
  var sum = 0.0;
  if (part < sizes.parts) {
    for (var i = item; i < sizes.pieces; i += apart) {
      if (is_trained(i * WIDTH)) { sum += square(gradients[i]); }
    }
  }
  sum = shared_sum(sum, invocation.local);
  if (SHARED) {
    if (invocation.local != 0u) { return; }
  }
  if (part < sizes.parts) {
    sums[part] = sum;
  }
}
