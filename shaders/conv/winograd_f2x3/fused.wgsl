// Outputs straight from inputs: y, and dx for dgrad.
// @import conv/winograd_f2x3/transforms
// @import conv/winograd/fused
