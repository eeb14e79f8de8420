// x in SLOPES parts of each image, of LENGTH values: one for all, or one a channel.

const SLOPES = 1u;
const LENGTH = 1u;
