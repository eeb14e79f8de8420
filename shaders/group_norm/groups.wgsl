// The values of x [N, C, PLANE] in groups: GROUPS of each image, of as many channels. A group's values lie side by side.

const C = 1u;
const PLANE = 1u;
const GROUPS = 1u;
const CHANNELS = C / GROUPS; // of a group
const LENGTH = CHANNELS * PLANE; // values of a group

// A group's mean, and 1 / sqrt(variance + eps).
struct Statistics { mean: f32, scale: f32 }
