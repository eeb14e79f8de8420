// dw from sums of products at the points.
// @import conv/winograd_f2x5/transforms
// @import conv/winograd/weights
