// How activations, their gradients and the weights that they are multiplied with are stored: in 32 bits, or if the
// plan says so in 16. Arithmetic is in 32.
alias Number = f32;
