// dw from sums of products at the points.
// @import conv/winograd_f4x3/transforms
// @import conv/winograd/weights
