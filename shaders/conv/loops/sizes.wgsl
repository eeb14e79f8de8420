// The seven loops of a convolution, as one writes them in C: one invocation, so one core of a processor, computes
// everything, value by value. All sizes are constants, as in a program that is compiled for its network.
// @import conv/geometry

const N = 1u;

// Where the window of output row p and column q starts in a channel of x: before it, where the window is padded.
fn window(p: u32, q: u32) -> u32 {
  return (input_row(p, 0u) * W + input_column(q, 0u)) * X_PIXEL;
}

// From there to the value that row r and column s of the filter meet.
fn step(r: u32, s: u32) -> u32 {
  return (r * DILATION_V * W + s * DILATION_H) * X_PIXEL;
}

// Whether that is a value, and not padding.
fn inside(p: u32, q: u32, r: u32, s: u32) -> bool {
  return input_row(p, r) < H && input_column(q, s) < W;
}
