// @import activation/forward
// @import softplus/function
