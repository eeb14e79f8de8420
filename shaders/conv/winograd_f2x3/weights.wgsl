// dw from sums of products at the points.
// @import conv/winograd_f2x3/transforms
// @import conv/winograd/weights
