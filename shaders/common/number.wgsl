// How activations, its gradient and the weights that are multiplied with it are stored: in 32 bits, or where the
// plan says so in 16. What is computed with them is in 32.
alias Number = f32;
