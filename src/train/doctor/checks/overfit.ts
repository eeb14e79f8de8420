import type { FindingChart, Check } from '../check.ts';
import { rateFix } from '../rate.ts';
import { lossWords } from '../words.ts';

const IMAGES = 8;
const STEPS = 160;
/** Shares of ln(classes) that the loss should come down to. */
const [LEARNT, SOME] = [0.1, 0.5];
/** How many times ln(classes) the loss may peak at: huge weights memorise a batch too. */
const [BUMP, JUMP] = [3, 10];

const overfit: Check = {
  name: 'overfit',
  title: 'Overfitting one batch',
  order: 4,
  about:
    'Any network should be able to memorise a few images. If it cannot, something is broken: gradients, labels, or a learning rate that is far off. Uses your optimiser and learning rate.',

  async examine(patient) {
    const { model, batchSize, lr } = patient.config;
    const samples = patient.sample(Math.min(IMAGES, batchSize), 'overfit');
    const goal = LEARNT * Math.log(model.classes);
    const indices = Uint32Array.from({ length: samples.count }, (_, i) => i);
    const losses: number[] = [];
    let last = NaN;
    // The initial loss may be large for other reasons, which another check covers.
    let first = 0;
    let peak = 0;
    await patient.withTrainer(samples, samples.count, (trainer) =>
      patient.train(
        trainer,
        { steps: STEPS },
        () => indices,
        ({ loss }, step) => {
          if (step === 0) first = loss;
          losses.push(loss);
          [last, peak] = [loss, Math.max(peak, loss)];
          return !(loss > goal);
        },
      ),
    );
    const even = Math.log(model.classes);
    const steps = losses.length;
    const chart: FindingChart = {
      kind: 'lines',
      series: [{ name: 'loss', values: losses }],
      goal: { name: 'goal', value: goal },
    };
    const numbers = { images: samples.count, steps, loss: last, goal, peak };
    const about = `${samples.count} images repeatedly, learning rate ${lr}:`;
    if (!Number.isFinite(last)) {
      return {
        light: 'bad',
        found: `${about} the loss became NaN or infinite within ${steps} steps.`,
        advice: 'The learning rate is far too high. Divide it by 10 and retry.',
        fix: rateFix(lr / 10),
        numbers,
        chart,
      };
    }
    const start = Math.max(first, even);
    if (peak > BUMP * start) {
      return {
        light: peak > JUMP * start ? 'bad' : 'watch',
        found: `${about} the loss peaked at ${lossWords(peak)} and is ${lossWords(last)} after ${steps} steps.`,
        advice: 'The learning rate is too high: updates overshoot. Divide it by 10.',
        fix: rateFix(lr / 10),
        numbers,
        chart,
      };
    }
    const found = `${about} the loss is ${lossWords(last)} after ${steps} steps; expected below ${lossWords(goal)}.`;
    if (last <= goal) return { light: 'good', found, numbers, chart };
    return {
      light: last <= SOME * even ? 'watch' : 'bad',
      found,
      advice:
        'If the loss oscillates or stays above ln(classes), lower the learning rate; if it falls slowly, raise it. If neither helps, look at the gradient check.',
      // Above its start it does not converge; below, it is only slow.
      fix: rateFix(last > start ? lr / 3 : 3 * lr),
      numbers,
      chart,
    };
  },
};

export default overfit;
