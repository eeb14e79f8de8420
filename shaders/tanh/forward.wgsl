// @import activation/forward
// @import tanh/function
