// dx of an elementwise operation. The importing file has x, dx and
//
//   fn gradient(i: u32) -> f32    of element i
//
// If MASK, only for positive x: then x is the output of a ReLU.
// @import common/number
// @import common/relu
// @import common/elements

const MASK = false;

fn value(i: u32) -> f32 {
  if (MASK) {
    return relu_gradient(f32(x[i]), gradient(i));
  } else {
    return gradient(i);
  }
}

fn store(i: u32, v: f32) {
  dx[i] = Number(v);
}
