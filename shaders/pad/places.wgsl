// Padded planes of P x Q around planes of H x W.
// @import common/number

const H = 1u;
const W = 1u;
const P = 1u;
const Q = 1u;
const TOP = 0u;
const LEFT = 0u;
const REFLECT = false;

// The place, of `size` along an axis, that padded place `at` reads; `size` or more if none: negative values are huge,
// because unsigned arithmetic wraps. A reflection does not repeat the edge.
fn place_of(at: u32, before: u32, size: u32) -> u32 {
  if (REFLECT) {
    let place = select(at - before, before - at, at < before);
    return min(place, 2u * (size - 1u) - place);
  } else {
    return at - before;
  }
}

// Of the padded places that read `place`, the first or one of two reflections; `padded` or more if there is none.
fn reader_of(place: u32, i: u32, before: u32, size: u32, padded: u32) -> u32 {
  let own = place + before;
  if (i == 0u) { return own; }
  let reflection = select(before + 2u * (size - 1u), before, i == 1u) - place;
  return select(reflection, padded, reflection == own);
}
