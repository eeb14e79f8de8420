// The forward product, with filter positions computed on the way.
// @import conv/implicit_gemm/fprop_product
// @import conv/implicit_gemm/position
