import type { FindingChart, Check } from '../check.ts';

/** How far from ln(classes) it may be, as a share of that. */
const [NEAR, FAR] = [0.25, 1];

const initialLoss: Check = {
  name: 'initial-loss',
  title: 'Initial loss',
  order: 3,
  about:
    'An untrained network should predict all classes with equal probability, which gives a loss of ln(classes): 2.303 for 10 classes. A higher loss means that it starts out confidently wrong. From trained weights, the loss may start lower.',

  async examine(patient) {
    const { model, initial } = patient.config;
    const {
      losses: [loss],
      batchSize,
    } = await patient.shortRun();
    const expected = Math.log(model.classes);
    const numbers = { loss, expected, batchSize };
    const chart: FindingChart = {
      kind: 'gauge',
      marks: [{ name: 'first loss', value: loss }],
      healthy: [initial ? 0 : (1 - NEAR) * expected, (1 + NEAR) * expected],
      ends: [0, 3 * expected],
      log: false,
    };
    const off = (initial ? Math.max(0, loss - expected) : Math.abs(loss - expected)) / expected;
    const found =
      `The first loss, over ${batchSize} images${initial ? ' and from trained weights' : ''}, is ${show(loss)}; ` +
      `ln(${model.classes}) is ${show(expected)}.`;
    // Written so that NaN is no good.
    if (off <= NEAR) return { light: 'good', found, numbers, chart };
    return {
      light: off <= FAR ? 'watch' : 'bad',
      found,
      advice: initial
        ? 'Check that the weights were trained on these classes, in this order, and on images normalised in this way.'
        : loss < expected
          ? 'The loss is already low before training. Check whether labels leak into the images.'
          : 'Check that images are normalised with this data set’s mean and standard deviation, and that the last layer’s initial weights are small.',
      numbers,
      chart,
    };
  },
};

const show = (loss: number): string => (Number.isFinite(loss) ? loss.toPrecision(4) : 'not a number');

export default initialLoss;
