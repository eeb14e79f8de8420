// y = (x - mean) / sqrt(variance + eps), by group, if AFFINE times the channel's weight plus its bias, and if RELU max(y, 0).
// @import common/number
// @import common/relu
// @import common/elements
// @import group_norm/groups

struct Sizes { count: u32 } // elements
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> x: array<Number>;
@group(0) @binding(2) var<storage, read> statistics: array<Statistics>;
@group(0) @binding(3) var<storage, read> weight: array<f32>;
@group(0) @binding(4) var<storage, read> bias: array<f32>;
@group(0) @binding(5) var<storage, read_write> y: array<Number>;

const AFFINE = true;
const RELU = false;

fn value(i: u32) -> f32 {
  let known = statistics[i / LENGTH];
  var v = (f32(x[i]) - known.mean) * known.scale;
  if (AFFINE) {
    let channel = i / PLANE % C;
    v = v * weight[channel] + bias[channel];
  }
  if (RELU) {
    v = relu(v);
  }
  return v;
}

fn store(i: u32, v: f32) {
  y[i] = Number(v);
}
