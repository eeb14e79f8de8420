// @import activation/forward
// @import leaky_relu/function
