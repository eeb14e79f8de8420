import { adamOptimizer } from '../adam/kernel.ts';

/** PyTorch's AdamW: weight decay shrinks the parameters themselves. */
export default adamOptimizer('adamw', true, 0.01);
