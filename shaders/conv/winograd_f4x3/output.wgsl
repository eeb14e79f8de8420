// Outputs from products at the points: y, and dx for dgrad.
// @import conv/winograd_f4x3/transforms
// @import conv/winograd/output
