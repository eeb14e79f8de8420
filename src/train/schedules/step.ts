import type { Schedule } from './schedule.ts';

/** PyTorch's StepLR. */
const step: Schedule = {
  name: 'step',
  rate: (t, lr, { stepSize, gamma }) => lr * gamma ** Math.floor(t / stepSize),
};

export default step;
