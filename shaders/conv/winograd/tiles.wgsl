// Correlation by Winograd's method cuts results into tiles of OUTPUTS x OUTPUTS. Whatever belongs to a tile is
// transformed into TILE x TILE positions; there the convolution is one matrix multiplication per position. The
// matrices are laid out as [TILE, TILE, rows, columns to four]; see src/engine/ops/conv/algorithms/winograd. Columns are
// tiles, or if NHWC the channels of a group. The variants differ by a part: f2x3, f4x3, f2x5 or f4x5.

// Images of this dispatch, and the first of them; in wgrad also the first of its filters.
struct Sizes { N: u32, FIRST: u32, FIRST_FILTER: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;

alias Number = f32; // the type of x, w, y, dx and dy; everything else, and every sum, is f32

const TILES_V = 1u; // tiles of an image
const TILES_H = 1u;
const TILES = TILES_V * TILES_H;
const WIDTH = 64u; // threads per workgroup along the contiguous dimension
const HEIGHT = 1u;
const NHWC = false; // channels are last in images and filters

// A thread's tile and channel, of `channels`. Neighbours have neighbouring tiles, or if NHWC neighbouring channels.
fn tile_and_channel(id: vec3u, groups: vec3u, channels: u32) -> vec2u {
  if (NHWC) {
    let i = id.y * groups.x * WIDTH + id.x;
    return vec2u(i / channels, i % channels);
  } else {
    return vec2u(id.x, id.y);
  }
}

// Where a channel of a tile lies among all positions, and the distance from one position to the next. `inner` of the
// `channels` are a group.
fn place_of(tile: u32, channel: u32, inner: u32) -> u32 {
  if (NHWC) {
    return (channel / inner * tiles() + tile) * to_four(inner) + channel % inner;
  } else {
    return channel * to_four(tiles()) + tile;
  }
}

fn position_stride(channels: u32, inner: u32) -> u32 {
  if (NHWC) {
    return channels / inner * tiles() * to_four(inner);
  } else {
    return channels * to_four(tiles());
  }
}

fn tiles() -> u32 {
  return sizes.N * TILES;
}

fn to_four(length: u32) -> u32 {
  return (length + 3u) / 4u * 4u;
}
