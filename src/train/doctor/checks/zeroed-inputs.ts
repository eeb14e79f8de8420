import type { FindingChart, Check } from '../check.ts';
import { meanOf } from '../patient.ts';
import { rateFix } from '../rate.ts';
import { lossWords } from '../words.ts';

/** Steps at the end over which losses are averaged. */
const LAST = 8;
/** Largest share of the loss on blank images that the loss on real ones may be. */
const [CLEARLY, BARELY] = [0.95, 0.99];

/** From this multiple of the loss of random guessing on, the network is worse than guessing. */
const WORSE = 1.2;
/** Above this share of it, the network has learnt too little to be judged. */
const UNTRAINED = 0.95;
/** A relative difference below this is rounding: the images change nothing. */
const ROUNDING = 1e-5;

const zeroedInputs: Check = {
  name: 'zeroed-inputs',
  title: 'Use of the inputs',
  order: 5,
  about:
    'Trained for the same few steps on blank images, a network should do worse: it can learn only class frequencies. If it does equally well, it ignores the images.',

  async examine(patient) {
    const seeing = await patient.shortRun();
    const blind = await patient.blindRun();
    const [real, zeroed] = [seeing, blind].map(({ losses }) => meanOf(losses.slice(-LAST)));
    const steps = seeing.losses.length;
    const numbers = { real, zeroed, steps };
    const guessing = Math.log(patient.config.model.classes);
    const chart: FindingChart = {
      kind: 'lines',
      series: [
        { name: 'real images', values: seeing.losses },
        { name: 'blank images', values: blind.losses },
      ],
      goal: { name: 'guessing', value: guessing },
    };
    const { lr } = patient.config;
    if (!Number.isFinite(real)) {
      return {
        light: 'bad',
        found: `The loss on real images became NaN or infinite within ${steps} steps.`,
        advice: 'The learning rate is far too high. Divide it by 10 and retry.',
        fix: rateFix(lr / 10),
        numbers,
        chart,
      };
    }
    const blindly = Number.isFinite(zeroed) ? lossWords(zeroed) : 'NaN or infinite';
    const found = `After ${steps} steps the loss is ${lossWords(real)} on real images and ${blindly} on blank ones.`;
    if (real > WORSE * guessing) {
      return {
        light: 'bad',
        found: `${found} Random guessing gives ${lossWords(guessing)}.`,
        advice: 'Worse than random guessing: the learning rate is too high. Divide it by 10.',
        fix: rateFix(lr / 10),
        numbers,
        chart,
      };
    }
    if (!(real > CLEARLY * zeroed)) return { light: 'good', found, numbers, chart };
    const sees = Math.abs(real - zeroed) > ROUNDING * Math.abs(zeroed);
    if (sees && real > UNTRAINED * guessing) {
      return {
        light: 'watch',
        found: `${found} Too early to tell: the network does not beat random guessing (${lossWords(guessing)}) yet.`,
        advice:
          'Deep networks without batch norm can take hundreds of steps to start. Train longer, or raise the learning rate, and retry.',
        numbers,
        chart,
      };
    }
    return {
      light: real <= BARELY * zeroed ? 'watch' : 'bad',
      found,
      advice:
        'Either the steps were too few or too small for this network, or it ignores the images. Check normalisation, dead ReLUs, and whether labels match the images.',
      numbers,
      chart,
    };
  },
};

export default zeroedInputs;
