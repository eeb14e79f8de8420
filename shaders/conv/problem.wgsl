// One convolution whose N comes as the only uniform.
// @import conv/geometry

struct Sizes { N: u32 }
@group(0) @binding(0) var<uniform> sizes: Sizes;
