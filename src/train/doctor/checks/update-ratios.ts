import { isFrozen } from '../../../engine/network.ts';
import type { FindingChart, Check } from '../check.ts';
import { normOf } from '../norm.ts';
import { rateFix } from '../rate.ts';
import { ofTheirSize } from '../words.ts';
import type { Change } from '../patient.ts';

/**
 * Limits of a step's change of weights, relative to their size: the healthy limit, and one past which training fails.
 */
const [LARGE, FAR_TOO_LARGE] = [0.1, 1];
const [SMALL, FAR_TOO_SMALL] = [1e-4, 1e-6];

const updateRatios: Check = {
  name: 'update-ratios',
  title: 'Update-to-weight ratio',
  order: 7,
  about:
    'The size of an update relative to the weights shows whether the learning rate fits: about 0.001 is typical, about 0.01 in Adam’s first steps. With a much larger ratio, training is unstable; with a much smaller one, the network barely learns.',

  async examine(patient) {
    const { first, last, losses } = await patient.shortRun();
    const { lr, freeze } = patient.config;
    const [early, late] = [first, last].map((change) => medianOf(ratiosOf(change, freeze)));
    const numbers = { early, late };
    const chart: FindingChart = {
      kind: 'gauge',
      marks: [
        { name: 'first step', value: early },
        { name: `step ${losses.length}`, value: late },
      ],
      healthy: [SMALL, LARGE],
      ends: [1e-7, 10],
      log: true,
    };
    if (!Number.isFinite(early) || !Number.isFinite(late)) {
      return {
        light: 'bad',
        found: `After ${losses.length} steps, some weights are NaN or infinite.`,
        advice: 'The learning rate is far too high. Divide it by 10 and retry.',
        fix: rateFix(lr / 10),
        numbers,
      };
    }
    const found =
      `The first step changes the weights by ${ofTheirSize(early)}, step ${losses.length} by ${ofTheirSize(late)} ` +
      `(medians over the weight tensors).`;
    // Weights that one step blew up change little by the next, relative to what they are then.
    const most = Math.max(early, late);
    if (most > LARGE) {
      return {
        light: most > FAR_TOO_LARGE ? 'bad' : 'watch',
        found,
        advice: 'Lower the learning rate: divide it by 3 or 10.',
        fix: rateFix(lr / (most > FAR_TOO_LARGE ? 10 : 3)),
        numbers,
        chart,
      };
    }
    if (late >= SMALL) return { light: 'good', found, numbers, chart };
    return {
      light: late < FAR_TOO_SMALL ? 'bad' : 'watch',
      found,
      advice: 'Raise the learning rate: multiply it by 3 or 10.',
      fix: rateFix(lr * (late < FAR_TOO_SMALL ? 10 : 3)),
      numbers,
      chart,
    };
  },
};

/**
 * |change| / |before| of every tensor that is trained, but biases and similar ones, which start at 0 or 1: their ratio says
 * little.
 */
function ratiosOf({ before, after }: Change, freeze: readonly string[]): number[] {
  return [...before].flatMap(([name, { shape, data }]) => {
    if (shape.length < 2 || isFrozen(freeze, name)) return [];
    const now = after.get(name)?.data ?? data;
    return [normOf(data.map((value, i) => now[i] - value)) / normOf(data)];
  });
}

const medianOf = (numbers: readonly number[]): number =>
  numbers.some(Number.isNaN) ? NaN : [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

export default updateRatios;
