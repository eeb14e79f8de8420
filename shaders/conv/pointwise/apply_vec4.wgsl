// As pointwise/apply, with vectors of four: if all sizes and offsets in pixels are multiples of four.
// @import conv/pointwise/product
// @import common/relu

alias Output = vec4f; // four values of y; the mask has the type of x
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read> mask: array<Pixels>;
@group(0) @binding(5) var<storage, read_write> y: array<Output>;

const HAS_BIAS = false;
const RELU = false;
const MASK = false;

fn store(z: u32, m: u32, n: u32, c: vec4f) {
  let at = y_index(z, m, n) / 4u;
  var four = c;
  if (HAS_BIAS) { four += bias[z * sizes.outputs + m]; }
  if (RELU) { four = relu_four(four); }
  if (MASK) { four = relu_gradient_four(vec4f(mask[at]), four); }
  y[at] = Output(four);
}
