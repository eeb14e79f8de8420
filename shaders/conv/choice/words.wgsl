// Results as words of memory, of which HALF holds two values. NaN and infinities are detected by bits, since compilers
// may assume that there are none.
const HALF = false;

fn is_finite_at(word: u32, i: u32) -> bool {
  if (HALF) {
    return ((word >> (16u * (i & 1u))) & 0x7c00u) != 0x7c00u;
  } else {
    return (word & 0x7f800000u) != 0x7f800000u;
  }
}

fn number_at(word: u32, i: u32) -> f32 {
  if (HALF) {
    let pair = unpack2x16float(word);
    return select(pair.x, pair.y, (i & 1u) == 1u);
  } else {
    return bitcast<f32>(word);
  }
}

fn word_of(i: u32) -> u32 {
  if (HALF) {
    return i / 2u;
  } else {
    return i;
  }
}
