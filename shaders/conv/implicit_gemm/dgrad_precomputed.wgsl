// The product for dx, with filter positions out of a table.
// @import conv/implicit_gemm/dgrad_product
// @import conv/implicit_gemm/position_table
