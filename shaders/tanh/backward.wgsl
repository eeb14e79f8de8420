// @import activation/backward
// @import tanh/function
