// The epilogue of a tile, for y, with bias and ReLU, and for dx; if MASK, only for positive values of `mask`, the
// output of a ReLU.
// @import conv/winograd/tiles
// @import common/relu

alias Piece = f32; // Number; or, in NCHW if COLUMNS is a multiple of OUTPUTS, a tile's row of them
@group(0) @binding(2) var<storage, read> bias: array<f32>;
@group(0) @binding(3) var<storage, read> mask: array<Piece>;
@group(0) @binding(4) var<storage, read_write> results: array<Piece>; // [N, CHANNELS, ROWS, COLUMNS], or if NHWC [N, ROWS, COLUMNS, CHANNELS]

const CHANNELS = 1u; // times the phases of a strided dgrad
const ROWS = 1u;
const COLUMNS = 1u;
const PHASES_V = 1u;
const PHASES_H = 1u;
const PHASES = PHASES_V * PHASES_H;
const BEFORE_V = 0u; // rows of the first phases that lie in the padding
const BEFORE_H = 0u;
const PLANES = CHANNELS / PHASES;
const HAS_BIAS = false;
const RELU = false;
const MASK = false;
const VEC2 = false; // whether Piece is such a vector
const VEC4 = false;

// Transforms the rows, after the columns, and stores the results.
fn store_tile(tile: u32, channel: u32, half: array<array<f32, TILE>, OUTPUTS>) {
  // Unsigned arithmetic wraps: rows and columns in the padding are huge.
  let row = tile % TILES / TILES_H * OUTPUTS * PHASES_V + channel / PHASES_H % PHASES_V - BEFORE_V;
  let column = tile % TILES_H * OUTPUTS * PHASES_H + channel % PHASES_H - BEFORE_H;
  let image = sizes.FIRST + tile / TILES;
  let plane = image * (PLANES * ROWS * COLUMNS) + channel / PHASES * select(ROWS * COLUMNS, 1u, NHWC);
  let pixel = select(1u, PLANES, NHWC); // distance from pixel to pixel
  let first = plane + (row * COLUMNS + column) * pixel;
  // @unroll
  for (var i = 0u; i < OUTPUTS; i++) {
    var numbers = output_transform(half[i]);
    let at = first + i * PHASES_V * COLUMNS * pixel;
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
        let place = at + j * PHASES_H * pixel;
        if (row + i * PHASES_V < ROWS && column + j * PHASES_H < COLUMNS) {
          if (MASK) {
            numbers[j] = relu_gradient(f32(mask[place]), numbers[j]);
          }
          results[place] = Piece(numbers[j]);
        }
      }
    }
  }
}
