// @import activation/backward
// @import softplus/function
