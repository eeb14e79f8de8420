// The values of a channel of x [N, C, PLANE] are N PLANE / WIDTH pieces, cut into SLICES ranges: a workgroup, or
// without SHARED a thread, takes one range of one channel.
// @import common/index
// @import common/shared_sum

const C = 1u;
const PLANE = 1u;
const SLICES = 1u;
const VEC4 = false; // whether a piece is four values, of which PLANE must be a multiple, or one
const WIDTH = select(1u, 4u, VEC4);
const PIECES = PLANE / WIDTH; // of an image and channel
alias Piece = f32;
alias Stored = f32; // a piece as it is stored: in 32 bits, or in 16

// Pieces from `first` to `end`, `step` apart.
struct Turns { first: u32, end: u32, step: u32 }

// The range of slice `slice` of a channel.
fn slice_range(images: u32, slice: u32) -> vec2u {
  let pieces = images * PIECES;
  let part = (pieces + SLICES - 1u) / SLICES;
  return min(vec2u(slice * part, (slice + 1u) * part), vec2u(pieces));
}

// This thread's part of it.
fn turns(range: vec2u, thread: u32) -> Turns {
  if (SHARED) {
    return Turns(range.x + thread, range.y, THREADS);
  } else {
    return Turns(range.x, range.y, 1u);
  }
}

// Where piece `i` of a channel lies.
fn piece_at(i: u32, channel: u32) -> u32 {
  return (i / PIECES * C + channel) * PIECES + i % PIECES;
}

// The sum of a * b over a piece.
fn piece_dot(a: Piece, b: Piece) -> f32 {
  if (VEC4) {
    return dot(vec4f(a), vec4f(b));
  } else {
    return vec4f(a * b).x;
  }
}
