import type { Schedule } from './schedule.ts';

/** PyTorch's LinearLR from the first rate to `minLr`, advanced every step, with total_iters the number of steps. */
const linear: Schedule = {
  name: 'linear',
  rate: (t, lr, { steps, minLr }) => lr + ((minLr - lr) * t) / steps,
};

export default linear;
