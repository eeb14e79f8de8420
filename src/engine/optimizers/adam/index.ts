import { adamOptimizer } from './kernel.ts';

/** PyTorch's Adam: weight decay adds to the gradients. */
export default adamOptimizer('adam', false, 0);
