import { flag, padding, pair } from '../attributes.ts';

const windows = {
  kernelSize: pair(),
  stride: pair({ follows: 'kernelSize' }),
  /** On each side at most half of the (dilated) kernel size. `same` is resolved to numbers: base/padding.ts. */
  padding,
};

/** As in PyTorch's nn.MaxPool2d. */
export const maxPool = { ...windows, dilation: pair({ default: [1, 1] }) };

/** As in PyTorch's nn.AvgPool2d. */
export const avgPool = {
  ...windows,
  /** Whether the zeros of the padding count in the average. */
  countIncludePad: flag(true),
};

/** As in PyTorch's nn.AdaptiveAvgPool2d. */
export const adaptivePool = {
  /** [P, Q]; [1, 1] is global pooling. */
  outputSize: pair(),
};
