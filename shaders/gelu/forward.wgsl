// @import activation/forward
// @import gelu/function
