// What inverse transforms write: the values of each tile that belong to a plane.
// @import conv/fft/tiles
// @import common/relu

alias Number = f32;

@group(0) @binding(2) var<storage, read> bias: array<f32>; // one value per plane
@group(0) @binding(3) var<storage, read> mask: array<Number>;
@group(0) @binding(4) var<storage, read_write> planes: array<Number>;

const HAS_BIAS = false;
const RELU = false;
const MASK = false; // only where the mask, the output of a ReLU, is positive
const ADD = false; // to the existing values
const SCALE = 1.0 / f32(T_V * T_H);

fn result(tile: Tile, plane: u32, i: u32, j: u32, value: f32) {
  let down = (i + u32(tiling.origin_v)) % T_V;
  let right = (j + u32(tiling.origin_h)) % T_H;
  let row = tile.top + down;
  let column = tile.left + right;
  if ((down < tiling.reach_v) & (right < tiling.reach_h) & (row < tiling.height) & (column < tiling.width)) {
    let at = tile.base + row * tiling.width + column;
    var v = value * SCALE;
    if (HAS_BIAS) { v += bias[plane]; }
    if (RELU) { v = relu(v); }
    if (MASK) { v = relu_gradient(f32(mask[at]), v); }
    if (ADD) { v += f32(planes[at]); }
    planes[at] = Number(v);
  }
}
