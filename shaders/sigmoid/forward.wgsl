// @import activation/forward
// @import sigmoid/function
