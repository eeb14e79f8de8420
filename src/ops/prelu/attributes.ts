import { number, whole } from '../attributes.ts';

/** As in PyTorch's nn.PReLU. */
export default {
  /** Slopes: 1 for all values, or one a channel. */
  numParameters: whole({ default: 1 }),
  /** The slopes before training. */
  init: number(0.25),
};
