import { whole } from '../attributes.ts';

export default {
  /** How many input channels compete for each output channel. */
  pieces: whole(),
};
