// How direct/pack lays weights out: in vectors of four, each channel of each filter in vectors of its own, so that a
// kernel knows where in a vector a weight is.
// @import conv/geometry

const FOURS = 1u; // vectors of a channel of a filter: RS / 4, rounded up
