// @import activation/forward
// @import elu/function
