// The values of x [N, C, PLANE], or if CHANNELS_LAST [N, PLANE, C], in pieces: WIDTH neighbours in memory, of one channel,
// or of one pixel. Columns are what has sums of its own: a channel, or a piece's channels. A column's pieces are
// cut into SLICES ranges: a workgroup, or without SHARED a thread, takes one range of a column, or of ACROSS columns side by side.
// @import common/index
// @import common/shared_sum

const C = 1u;
const PLANE = 1u;
const SLICES = 1u;
const CHANNELS_LAST = false;
const VEC4 = false; // whether a piece is four values, of which PLANE, or C, must be a multiple, or one
const WIDTH = select(1u, 4u, VEC4);
const COLUMNS = select(C, C / WIDTH, CHANNELS_LAST);
const BLOCKS = (COLUMNS + ACROSS - 1u) / ACROSS;
const PIECES = select(PLANE / WIDTH, PLANE, CHANNELS_LAST); // of an image and column
const VALUES = select(WIDTH, 1u, CHANNELS_LAST); // of a channel in a piece
alias Piece = f32;
alias Stored = f32; // a piece as it is stored: in 32 bits, or in 16
alias Column = f32; // a value for each channel of a column

// Pieces from `first` to `end`, `step` apart.
struct Turns { first: u32, end: u32, step: u32 }

// Range i of `count` of a column.
fn range_of(images: u32, i: u32, count: u32) -> vec2u {
  let pieces = images * PIECES;
  let length = (pieces + count - 1u) / count;
  return min(vec2u(i * length, (i + 1u) * length), vec2u(pieces));
}

// The range of slice `slice` of a column.
fn slice_range(images: u32, slice: u32) -> vec2u {
  return range_of(images, slice, SLICES);
}

// This thread's part of it.
fn turns(range: vec2u, thread: u32) -> Turns {
  if (SHARED) {
    return Turns(range.x + thread / ACROSS, range.y, THREADS / ACROSS);
  } else {
    return Turns(range.x, range.y, 1u);
  }
}

// Where piece `i` of a column lies.
fn piece_at(i: u32, column: u32) -> u32 {
  if (CHANNELS_LAST) {
    return i * COLUMNS + column;
  } else {
    return (i / PIECES * C + column) * PIECES + i % PIECES;
  }
}

// The column of the piece in this place.
fn column_of(place: u32) -> u32 {
  if (CHANNELS_LAST) {
    return place % COLUMNS;
  } else {
    return place / PIECES % C;
  }
}

// The sums of a * b over the piece's values of each channel.
fn column_dot(a: Piece, b: Piece) -> Column {
  if (CHANNELS_LAST) {
    return a * b;
  } else if (VEC4) {
    return dot(vec4f(a), vec4f(b));
  } else {
    return vec4f(a * b).x;
  }
}
