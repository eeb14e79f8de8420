import { cos } from '../../base/portable-math.ts';
import type { Schedule } from './schedule.ts';

/** PyTorch's CosineAnnealingLR, advanced every step, with T_max the number of steps. */
const cosine: Schedule = {
  name: 'cosine',
  rate: (t, lr, { steps, minLr }) => minLr + ((lr - minLr) * (1 + cos((Math.PI * t) / steps))) / 2,
};

export default cosine;
