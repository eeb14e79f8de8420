// The epilogue of pointwise/product, value by value: with a bias and ReLU, or only where MASK is
// positive, which then is the output of a ReLU.
// @import conv/pointwise/product
// @import common/relu

alias Output = f32; // the type of y; the mask has the type of x
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read> mask: array<Pixels>;
@group(0) @binding(5) var<storage, read_write> y: array<Output>;

const HAS_BIAS = false;
const RELU = false;
const MASK = false;

fn store(z: u32, m: u32, n: u32, c: vec4f) {
  // @unroll
  for (var i = 0u; i < 4u; i++) {
    if (n + i < sizes.columns) {
      let at = y_index(z, m, n + i);
      var v = c[i];
      if (HAS_BIAS) { v += bias[z * sizes.outputs + m]; }
      if (RELU) { v = relu(v); }
      if (MASK) { v = relu_gradient(f32(mask[at]), v); }
      y[at] = Output(v);
    }
  }
}
