// @import activation/forward
// @import silu/function
