// The maximum over the pieces, and its index; one thread per maximum. The first of equal values wins, and the first NaN
// wins over all.
// @import common/number
// @import common/index
// @import common/nan
// @import maxout/pieces

struct Sizes { count: u32 } // maxima
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> x: array<Number>;
@group(0) @binding(2) var<storage, read_write> y: array<Number>;
@group(0) @binding(3) var<storage, read_write> argmax: array<u32>;

@compute @workgroup_size(64)
fn main(invocation: Invocation) {
  let i = item_index(invocation, 64u);
  if (i >= sizes.count) { return; }
  let first = i / INNER * PIECES * INNER + i % INNER;
  var largest = f32(x[first]);
  var piece = 0u;
  for (var k = 1u; k < PIECES; k++) {
    let v = f32(x[first + k * INNER]);
    if (!is_nan(largest) && beats(v, largest)) {
      largest = v;
      piece = k;
    }
  }
  y[i] = Number(largest);
  argmax[i] = piece;
}
