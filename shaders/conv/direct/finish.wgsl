// The epilogue of kernels that compute y: a bias and ReLU, or only where MASK is positive, which then is the output of
// a ReLU.
// @import conv/problem
// @import common/relu

@group(0) @binding(1) var<storage, read> x: array<Number>;
@group(0) @binding(2) var<storage, read> bias: array<f32>;
@group(0) @binding(3) var<storage, read> mask: array<Number>;
@group(0) @binding(4) var<storage, read_write> y: array<Number>;

const HAS_BIAS = false;
const RELU = false;
const MASK = false;

fn finish(image: u32, k: u32, p: u32, q: u32, sum: f32) {
  let at = image * K * PQ + k * Y_CHANNEL + (p * Q + q) * Y_PIXEL;
  var v = sum;
  if (HAS_BIAS) { v += bias[k]; }
  if (RELU) { v = relu(v); }
  if (MASK) { v = relu_gradient(f32(mask[at]), v); }
  y[at] = Number(v);
}
