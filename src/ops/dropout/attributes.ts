import { number } from '../attributes.ts';

export default {
  /** The probability that an element is dropped. */
  p: number(0.5, { least: 0, most: 1 }),
};
