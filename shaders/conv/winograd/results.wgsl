// The epilogue of a tile, for y, with bias and ReLU, and for dx; if MASK, only for positive values of `mask`, the
// output of a ReLU.
// @import conv/winograd/tiles
// @import common/relu

alias Piece = f32; // Number; or, in NCHW if COLUMNS is a multiple of OUTPUTS, a tile's row of them
@group(0) @binding(2) var<storage, read> bias: array<f32>;
@group(0) @binding(3) var<storage, read> mask: array<Piece>;
@group(0) @binding(4) var<storage, read_write> results: array<Piece>; // [N, CHANNELS, ROWS, COLUMNS], or if NHWC [N, ROWS, COLUMNS, CHANNELS]

const CHANNELS = 1u;
const ROWS = 1u;
const COLUMNS = 1u;
const HAS_BIAS = false;
const RELU = false;
const MASK = false;
const VEC2 = false; // whether Piece is such a vector
const VEC4 = false;

// Transforms the rows, after the columns, and stores the results.
fn store_tile(tile: u32, channel: u32, half: array<array<f32, TILE>, OUTPUTS>) {
  let row = tile % TILES / TILES_H * OUTPUTS;
  let column = tile % TILES_H * OUTPUTS;
  let plane = (sizes.FIRST + tile / TILES) * (CHANNELS * ROWS * COLUMNS) + channel * select(ROWS * COLUMNS, 1u, NHWC);
  let pixel = select(1u, CHANNELS, NHWC); // distance from pixel to pixel
  let first = plane + (row * COLUMNS + column) * pixel;
  // @unroll
  for (var i = 0u; i < OUTPUTS; i++) {
    var numbers = output_transform(half[i]);
    let at = first + i * COLUMNS * pixel;
    // @unroll
    for (var j = 0u; j < OUTPUTS; j++) {
      if (HAS_BIAS) {
        numbers[j] += bias[channel];
      }
      if (RELU) {
        numbers[j] = relu(numbers[j]);
      }
    }
    if (VEC4) {
      if (row + i < ROWS) {
        var four = vec4f(numbers[0], numbers[1], numbers[2], numbers[3]);
        if (MASK) {
          four = select(four, vec4f(), vec4f(mask[at / 4u]) <= vec4f());
        }
        results[at / 4u] = Piece(four);
      }
    } else if (VEC2) {
      if (row + i < ROWS) {
        var two = vec2f(numbers[0], numbers[1]);
        if (MASK) {
          two = select(two, vec2f(), vec2f(mask[at / 2u]) <= vec2f());
        }
        results[at / 2u] = Piece(two);
      }
    } else {
      // @unroll
      for (var j = 0u; j < OUTPUTS; j++) {
        if (row + i < ROWS && column + j < COLUMNS) {
          if (MASK) {
            numbers[j] = relu_gradient(f32(mask[at + j * pixel]), numbers[j]);
          }
          results[at + j * pixel] = Piece(numbers[j]);
        }
      }
    }
  }
}
