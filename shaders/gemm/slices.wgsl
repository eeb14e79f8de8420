// Split-K: a long sum cut into SLICES ranges of whole steps, which workgroups compute in parallel. The second pass is
// gemm/sum_slices.
// @import gemm/slice_range

const SLICES = 1u;
