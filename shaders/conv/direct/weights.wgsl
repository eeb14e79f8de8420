// The index in w of the weight of filter k, channel c of its group, row r and column s. FLIPPED is for dgrad: with
// stride 1 it is the convolution of dy with the filters rotated by 180 degrees, with filters and channels swapped. All
// sizes are those of the convolution that is computed here.
// @import conv/geometry

const FLIPPED = false;

fn weight_index(k: u32, c: u32, r: u32, s: u32) -> u32 {
  if (FLIPPED) {
    // w has KG channels per group.
    let at = (R - 1u - r) * S + S - 1u - s;
    return (k / KG * CG + c) * KG * RS + k % KG * select(RS, 1u, NHWC) + at * select(1u, KG, NHWC);
  } else {
    return k * CRS + c * W_CHANNEL + (r * S + s) * W_PIXEL;
  }
}
