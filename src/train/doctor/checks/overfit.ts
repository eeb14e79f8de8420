import type { ImageSet } from '../../../data/dataset.ts';
import { meanOf } from '../../learning-watch.ts';
import { JUDGED, ratesToTry, TRY_STEPS } from '../../rescue.ts';
import type { Check, Diagnosis, FindingChart, Light } from '../check.ts';
import type { Patient } from '../patient.ts';
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
    'A network should be able to memorise a few images, unless it is very small or has dropout. If it cannot, something is broken: gradients, labels, or a learning rate that is far off. Uses your optimiser and learning rate.',

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
    const report = async (light: Light, found: string, isSlow = false): Promise<Diagnosis> => ({
      light,
      found,
      ...(await betterRate(patient, samples, losses, isSlow)),
      numbers,
      chart,
    });
    if (!Number.isFinite(last))
      return report('bad', `${about} the loss became NaN or infinite within ${steps} steps.`);
    const start = Math.max(first, even);
    const found = `${about} the loss peaked at ${lossWords(peak)} and is ${lossWords(last)} after ${steps} steps.`;
    if (peak > BUMP * start) return report(peak > JUMP * start ? 'bad' : 'watch', found);
    const ended = `${about} the loss is ${lossWords(last)} after ${steps} steps; expected below ${lossWords(goal)}.`;
    if (last <= goal) return { light: 'good', found: ended, numbers, chart };
    // Above its start it does not converge; below, it is only slow.
    return report(last <= SOME * even ? 'watch' : 'bad', ended, last <= start);
  },
};

/** What three other learning rates do to the loss on the same images; the best one, if it does better than the run's own. */
async function betterRate(
  patient: Patient,
  samples: ImageSet,
  losses: readonly number[],
  isSlow: boolean,
): Promise<Pick<Diagnosis, 'advice' | 'fix'>> {
  const { lr, optimizer } = patient.config;
  const { tries, best } = await patient.tryRates(samples, ratesToTry(lr, optimizer, isSlow));
  const own = losses.length < TRY_STEPS ? NaN : meanOf(losses.slice(TRY_STEPS - JUDGED, TRY_STEPS));
  const tried = tries.map((one) => `${one.lr}: ${lossWords(one.loss)}`).join(', ');
  const advice = `Other learning rates were tried for ${TRY_STEPS} steps; the loss came to ${tried}, with ${lr} to ${lossWords(own)}.`;
  return best && !(best.loss >= own)
    ? { advice: `${advice} Take ${best.lr}.`, fix: { ...rateFix(best.lr), tried: true } }
    : { advice: `${advice} None is better: look at the gradient check and the labels.` };
}

export default overfit;
