import { power } from '../../base/portable-math.ts';
import type { Schedule } from './schedule.ts';

/** PyTorch's StepLR. */
const step: Schedule = {
  name: 'step',
  rate: (t, lr, { stepSize, gamma }) => lr * power(gamma, Math.floor(t / stepSize)),
};

export default step;
