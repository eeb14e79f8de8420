// @import activation/backward
// @import elu/function
