// @import activation/backward
// @import leaky_relu/function
