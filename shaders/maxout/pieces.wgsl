// Groups of PIECES channels, each of INNER values: the H * W of an image, or 1.

const PIECES = 1u;
const INNER = 1u;
