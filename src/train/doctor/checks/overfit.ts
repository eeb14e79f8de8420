import type { Check } from '../check.ts';
import { lossWords } from '../words.ts';

const IMAGES = 8;
const STEPS = 160;
/** Shares of ln(classes) that the loss should come down to. */
const [LEARNT, SOME] = [0.1, 0.5];
/** How many times ln(classes) it may be on the way there: huge weights know a batch by heart too. */
const [BUMP, JUMP] = [3, 10];

const overfit: Check = {
  name: 'overfit',
  title: 'Overfits one batch',
  order: 4,
  about:
    'Any network should be able to learn a handful of images by heart. If it cannot, something is broken: the gradients, the labels, or a learning rate that is far too large or too small. Done with your optimiser and learning rate.',

  async examine(patient) {
    const { model, batchSize, lr } = patient.config;
    const samples = patient.sample(Math.min(IMAGES, batchSize), 'overfit');
    const goal = LEARNT * Math.log(model.classes);
    const indices = Uint32Array.from({ length: samples.count }, (_, i) => i);
    let steps = 0;
    let last = NaN;
    // Before any step it may be large for other reasons, which are another check's.
    let first = 0;
    let peak = 0;
    await patient.withTrainer(samples, samples.count, (trainer) =>
      patient.train(
        trainer,
        { steps: STEPS },
        () => indices,
        ({ loss }, step) => {
          if (step === 0) first = loss;
          [last, steps, peak] = [loss, step + 1, Math.max(peak, loss)];
          return !(loss > goal);
        },
      ),
    );
    const even = Math.log(model.classes);
    const numbers = { images: samples.count, steps, loss: last, goal, peak };
    const about = `${samples.count} images again and again, learning rate ${lr}:`;
    if (!Number.isFinite(last)) {
      return {
        light: 'bad',
        found: `${about} the loss is no number any more after ${steps} steps.`,
        advice: 'The learning rate is far too large: try a tenth of it, and again.',
        numbers,
      };
    }
    const start = Math.max(first, even);
    if (peak > BUMP * start) {
      return {
        light: peak > JUMP * start ? 'bad' : 'watch',
        found: `${about} the loss jumped to ${lossWords(peak)} on the way, and is ${lossWords(last)} after ${steps} steps.`,
        advice: 'The learning rate is too large: steps overshoot. Try a tenth of it.',
        numbers,
      };
    }
    const found = `${about} the loss is ${lossWords(last)} after ${steps} steps; it should come below ${lossWords(goal)}.`;
    if (last <= goal) return { light: 'good', found, numbers };
    return {
      light: last <= SOME * even ? 'watch' : 'bad',
      found,
      advice:
        'If the loss jumps about or stays above ln(classes), the learning rate is too large; if it creeps, too small. If no learning rate helps, look at the gradient check.',
      numbers,
    };
  },
};

export default overfit;
