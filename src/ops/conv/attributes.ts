import { flag, padding, pair, whole } from '../attributes.ts';

/** As in PyTorch's nn.Conv2d; pairs are [vertical, horizontal]. */
export default {
  outChannels: whole(),
  kernelSize: pair(),
  stride: pair({ default: [1, 1] }),
  padding,
  dilation: pair({ default: [1, 1] }),
  groups: whole({ default: 1 }),
  bias: flag(true),
};
