// dx sums dy over the places that read x.
// @import pad/places
// @import common/input_gradient

struct Sizes { count: u32 } // input elements
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> dy: array<Number>;
@group(0) @binding(2) var<storage, read> x: array<Number>;
@group(0) @binding(3) var<storage, read_write> dx: array<Number>;

const READERS = 1u; // along an axis, at most; 3 if REFLECT

fn gradient(i: u32) -> f32 {
  let plane = i / (H * W) * P;
  var sum = 0.0;
  for (var j = 0u; j < READERS; j++) {
    let p = reader_of(i / W % H, j, TOP, H, P);
    for (var k = 0u; k < READERS; k++) {
      let q = reader_of(i % W, k, LEFT, W, Q);
      if (p < P && q < Q) {
        sum += f32(dy[(plane + p) * Q + q]);
      }
    }
  }
  return sum;
}
