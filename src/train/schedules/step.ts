import type { Schedule } from './schedule.ts';

/** PyTorch's StepLR. */
const step: Schedule = {
  name: 'step',
  summary: 'is multiplied by gamma every so many epochs',
  reads: ['stepSize', 'gamma'],
  rate: (t, lr, { stepSize, gamma }) => lr * gamma ** Math.floor(t / stepSize),
};

export default step;
