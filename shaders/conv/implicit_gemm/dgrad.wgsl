// The product for dx, with filter positions computed on the way.
// @import conv/implicit_gemm/dgrad_product
// @import conv/implicit_gemm/position
