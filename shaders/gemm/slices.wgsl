// Split-K: a long sum cut into SLICES ranges of whole steps, which workgroups compute in parallel. The second pass is
// gemm/sum_slices.
const SLICES = 1u;

fn slice_range(length: u32, slice: u32) -> vec2u {
  let part = ((length + SLICES - 1u) / SLICES + BK - 1u) / BK * BK;
  return min(vec2u(slice * part, (slice + 1u) * part), vec2u(length));
}
