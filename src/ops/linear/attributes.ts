import { flag, whole } from '../attributes.ts';

/** As in PyTorch's nn.Linear. */
export default { outFeatures: whole(), bias: flag(true) };
