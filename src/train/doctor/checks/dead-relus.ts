import type { FindingChart, Check } from '../check.ts';
import { rateFix } from '../rate.ts';
import { reluActivity } from '../relus.ts';

const IMAGES = 256;
/** Shares of a layer's channels that may be dead. In fully connected layers, 40 % are so from the start. */
const [HALF, NEARLY_ALL] = [0.5, 0.9];

const deadRelus: Check = {
  name: 'dead-relus',
  title: 'ReLU activity',
  order: 6,
  about:
    'A ReLU channel that is 0 for every image is dead: it passes no signal and receives no gradient. With random initial weights, nearly half of a fully connected layer can be dead from the start; a whole dead layer points to a learning rate that is too high.',

  async examine(patient) {
    const { model, weights, initial } = patient.config;
    if (!model.layers.some(({ op }) => op === 'relu'))
      return { light: 'skipped', found: 'The network has no ReLU.', numbers: {} };
    const state = weights ?? (await patient.shortRun()).last.after;
    const layers = await reluActivity(patient, state, IMAGES);
    const [worst] = [...layers].sort((a, b) => b.dead / b.channels - a.dead / a.channels);
    const all = layers.reduce((sum, { channels }) => sum + channels, 0);
    const dead = layers.reduce((sum, one) => sum + one.dead, 0);
    const share = worst.dead / worst.channels;
    const numbers = { dead, channels: all, worstDead: worst.dead, worstChannels: worst.channels };
    const chart: FindingChart = {
      kind: 'bars',
      bars: layers.map((one) => ({ name: one.layer, value: one.dead / one.channels })),
    };
    const when = !weights
      ? 'after a few steps'
      : weights === initial
        ? 'with the weights that the run starts from'
        : 'in the current run';
    const found =
      `${dead} of ${all} channels are 0 for all ${IMAGES} images, ${when}` +
      (dead > 0 ? `; most in ${worst.layer}, ${worst.dead} of ${worst.channels}.` : '.');
    if (share <= HALF) return { light: 'good', found, numbers, chart };
    return {
      light: share <= NEARLY_ALL ? 'watch' : 'bad',
      found,
      advice:
        'Lower the learning rate or add warm-up. Batch normalisation, leaky ReLU or GELU also prevent dead channels.',
      fix: rateFix(patient.config.lr / 3),
      numbers,
      chart,
    };
  },
};

export default deadRelus;
