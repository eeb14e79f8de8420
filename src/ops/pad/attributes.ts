import { choice, number, padding } from '../attributes.ts';

/** As of PyTorch's F.pad. */
export default {
  /** `same` is 0. */
  padding,
  /** `reflect`: the image, mirrored at its edges, which are not repeated. */
  mode: choice('constant', 'reflect'),
  /** Of a constant border. */
  value: number(0),
};
