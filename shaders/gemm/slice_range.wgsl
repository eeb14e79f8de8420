// The range of k of a slice, in whole steps. The importing file has SLICES.
// @import gemm/tile

fn slice_range(length: u32, slice: u32) -> vec2u {
  let part = ((length + SLICES - 1u) / SLICES + BK - 1u) / BK * BK;
  return min(vec2u(slice * part, (slice + 1u) * part), vec2u(length));
}
