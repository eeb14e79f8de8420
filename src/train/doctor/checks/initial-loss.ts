import type { Check } from '../check.ts';

/** How far from ln(classes) it may be, as a share of that. */
const [NEAR, FAR] = [0.25, 1];

const initialLoss: Check = {
  name: 'initial-loss',
  title: 'Loss at the start',
  order: 3,
  about:
    'A network that knows nothing yet should find all classes equally likely, which costs ln(classes): 2.303 for ten. More means that it starts out sure of something wrong, and spends its first steps on unlearning that.',

  async examine(patient) {
    const { model, initial } = patient.config;
    if (initial)
      return {
        light: 'skipped',
        found: 'The run starts from given weights, which know something.',
        numbers: {},
      };
    const {
      losses: [loss],
      batchSize,
    } = await patient.shortRun();
    const expected = Math.log(model.classes);
    const numbers = { loss, expected, batchSize };
    const off = Math.abs(loss - expected) / expected;
    const found =
      `The first loss, over ${batchSize} images, is ${show(loss)}; ` +
      `ln(${model.classes}) is ${show(expected)}.`;
    // Written so that NaN is no good.
    if (off <= NEAR) return { light: 'good', found, numbers };
    return {
      light: off <= FAR ? 'watch' : 'bad',
      found,
      advice:
        loss < expected
          ? 'Less than that before any step: do the labels find their way into the images?'
          : 'Are the images normalised, by the mean and deviation of this data? Are the weights of the last layer small at the start?',
      numbers,
    };
  },
};

const show = (loss: number): string => (Number.isFinite(loss) ? loss.toPrecision(4) : 'not a number');

export default initialLoss;
