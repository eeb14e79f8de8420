// @import activation/backward
// @import silu/function
