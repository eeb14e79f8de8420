import { above, number } from '../attributes.ts';

/** As in PyTorch's nn.BatchNorm2d. */
export default {
  /** Added to the variance. */
  eps: above(0, 1e-5),
  /** How far a batch moves the running statistics. */
  momentum: number(0.1, { least: 0, most: 1 }),
};
