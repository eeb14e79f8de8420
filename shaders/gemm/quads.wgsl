// Vectors of four for the staged copies of gemm/tile, from single values. A file whose matrices are stored as vectors
// of four has its own version.
// @import gemm/steps
// @import gemm/quads_a
// @import gemm/quads_b
