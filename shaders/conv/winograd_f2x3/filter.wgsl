// Filters at the points, for fprop and dgrad.
// @import conv/winograd_f2x3/transforms
// @import conv/winograd/filter
