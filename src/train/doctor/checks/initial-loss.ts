import type { Chart, Check } from '../check.ts';

/** How far from ln(classes) it may be, as a share of that. */
const [NEAR, FAR] = [0.25, 1];

const initialLoss: Check = {
  name: 'initial-loss',
  title: 'Initial loss',
  order: 3,
  about:
    'An untrained network should predict all classes with equal probability, which gives a loss of ln(classes): 2.303 for 10 classes. A higher loss means that it starts out confidently wrong.',

  async examine(patient) {
    const { model, initial } = patient.config;
    if (initial) return { light: 'skipped', found: 'The run starts from trained weights.', numbers: {} };
    const {
      losses: [loss],
      batchSize,
    } = await patient.shortRun();
    const expected = Math.log(model.classes);
    const numbers = { loss, expected, batchSize };
    const chart: Chart = {
      kind: 'gauge',
      marks: [{ name: 'first loss', value: loss }],
      healthy: [(1 - NEAR) * expected, (1 + NEAR) * expected],
      ends: [0, 3 * expected],
      log: false,
    };
    const off = Math.abs(loss - expected) / expected;
    const found =
      `The first loss, over ${batchSize} images, is ${show(loss)}; ` +
      `ln(${model.classes}) is ${show(expected)}.`;
    // Written so that NaN is no good.
    if (off <= NEAR) return { light: 'good', found, numbers, chart };
    return {
      light: off <= FAR ? 'watch' : 'bad',
      found,
      advice:
        loss < expected
          ? 'The loss is already low before training. Check whether labels leak into the images.'
          : 'Check that images are normalised with this data set’s mean and standard deviation, and that the last layer’s initial weights are small.',
      numbers,
      chart,
    };
  },
};

const show = (loss: number): string => (Number.isFinite(loss) ? loss.toPrecision(4) : 'not a number');

export default initialLoss;
