// The forward product, with filter positions out of a table.
// @import conv/implicit_gemm/fprop_product
// @import conv/implicit_gemm/position_table
