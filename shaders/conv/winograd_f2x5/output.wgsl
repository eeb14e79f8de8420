// Outputs from products at the points: y, and dx for dgrad.
// @import conv/winograd_f2x5/transforms
// @import conv/winograd/output
