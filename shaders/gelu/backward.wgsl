// @import activation/backward
// @import gelu/function
