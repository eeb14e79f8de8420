// Transforms of a tile's columns and rows, if both are short enough for registers, and the memory through which a
// workgroup passes from one to the other.
// @import conv/fft/points
// @import conv/fft/tiles

const V_16 = true;
const H_16 = true;
const BETWEEN_V = 7u; // HALF_V - 1: rows between the two that are real
const BETWEEN_H = 7u; // HALF_H - 1
const LANES = 8u;
const PADDING = 2u; // unused lanes, which avoid conflicts of memory banks
const ACROSS = LANES + PADDING;
const THREADS = 64u; // LANES * max(HALF_V, HALF_H)

var<workgroup> crossing: array<vec2f, ROW_NUMBERS * ACROSS>;

fn dft_v(x: array<vec2f, T_V>) -> array<vec2f, T_V> {
  if (V_16) {
    return dft16(x);
  } else {
    return dft32(x);
  }
}

fn dft_h(x: array<vec2f, T_H>) -> array<vec2f, T_H> {
  if (H_16) {
    return dft16(x);
  } else {
    return dft32(x);
  }
}
