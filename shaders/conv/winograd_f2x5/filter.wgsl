// Filters at the points, for fprop and dgrad.
// @import conv/winograd_f2x5/transforms
// @import conv/winograd/filter
