import { cos } from '../../base/portable-math.ts';
import type { Schedule } from './schedule.ts';

/** From `start` to `end` along half a cosine wave; `part` from 0 to 1. */
const anneal = (start: number, end: number, part: number): number =>
  end + ((start - end) * (1 + cos(Math.PI * part))) / 2;

/**
 * PyTorch's OneCycleLR with two phases and cosine annealing. Momentum does not change, as with cycle_momentum=False.
 */
const oneCycle: Schedule = {
  name: 'one-cycle',
  rate(t, lr, { steps, pctStart, divFactor, finalDivFactor }) {
    const first = lr / divFactor;
    const top = pctStart * steps - 1;
    const end = steps - 1;
    // If the rise is shorter than a step, the run starts on the way down.
    if (t <= top) return anneal(first, lr, top === 0 ? 1 : t / top);
    return anneal(lr, first / finalDivFactor, end === top ? 1 : (t - top) / (end - top));
  },
};

export default oneCycle;
