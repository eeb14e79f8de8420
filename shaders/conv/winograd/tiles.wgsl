// Correlation by Winograd's method cuts results into tiles of OUTPUTS x OUTPUTS. Whatever belongs to a tile is
// transformed into TILE x TILE positions; there the convolution is one matrix multiplication per position. The
// matrices are laid out as [TILE, TILE, rows, columns to four]; see src/engine/ops/conv/algorithms/winograd. The
// variants differ by a part: f2x3, f4x3, f2x5 or f4x5.

struct Sizes { N: u32, FIRST: u32 } // images of this dispatch, and the first of them
@group(0) @binding(0) var<uniform> sizes: Sizes;

alias Number = f32; // the type of x, w, y, dx and dy; everything else, and every sum, is f32

const TILES_V = 1u; // tiles of an image
const TILES_H = 1u;
const TILES = TILES_V * TILES_H;
const WIDTH = 64u; // threads per workgroup along the contiguous dimension
const HEIGHT = 1u;

fn tiles() -> u32 {
  return sizes.N * TILES;
}

fn to_four(length: u32) -> u32 {
  return (length + 3u) / 4u * 4u;
}
