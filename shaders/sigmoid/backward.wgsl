// @import activation/backward
// @import sigmoid/function
