// One convolution, with N as its only uniform.
// @import conv/geometry

struct Sizes { N: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
