import { lossOf } from '../../peers/contenders/jax.ts';
import { blockUntilReady, jit, numpy as np, tree, valueAndGrad } from '../../peers/libraries/jax.ts';
import { arraysOf } from '../../peers/weights/jax.ts';
import lenet5 from '../../src/models/lenet5.ts';
import { openJax, titleOn, Underway } from '../libraries/jax.ts';
import { initialParameters } from './parameters.ts';
import { BATCHES, batchOf, LEARNING_RATE, type Library, type OptimizerName, type TaskData } from './peer.ts';

type Arrays = Record<string, np.Array>;
/** What a step takes and leaves: parameters, and for Adam both moments and how many steps there were. */
interface State extends Record<string, Arrays> {
  parameters: Arrays;
}

/**
 * jax-js: one jitted function a step, as its own MNIST demo trains, so that its compiler sees all of it.
 * The batches are on the device before the clock starts, as floats and one-hot labels, and no loss is read before the last step.
 * Every use but the last of an array says `.ref`: functions own what they are given.
 */
const jax: Library = {
  titleOn,

  async open(task, data) {
    await openJax(task.engine);
    let state = stateOf(task.optimizer, arraysOf(initialParameters(task.seed)));
    const batches = Array.from({ length: BATCHES }, (_, i) => upload(batchOf(i, task.batchSize, data), data));
    const step = jit((before: State, images: np.Array, labels: np.Array) => {
      const [loss, gradients] = valueAndGrad(lossOf)(tree.ref(before.parameters), images, labels);
      return [UPDATES[task.optimizer](before, gradients as Arrays), loss] as [State, np.Array];
    });
    let done = 0;
    return {
      async train(steps) {
        const start = performance.now();
        const costs: np.Array[] = [];
        const underway = new Underway();
        for (let i = 0; i < steps; i++, done++) {
          const { images, labels } = batches[done % BATCHES];
          const [after, loss] = step(state, images.ref, labels.ref);
          state = after;
          costs.push(loss);
          await underway.add(loss.blockUntilReady());
        }
        await blockUntilReady(state);
        await costs[steps - 1].ref.data();
        const ms = performance.now() - start;
        const losses = [];
        for (const cost of costs) losses.push((await cost.data())[0]);
        return { ms, losses };
      },

      close() {
        tree.dispose([state, ...batches]);
        return Promise.resolve();
      },
    };
  },
};

export default jax;

const [BETA1, BETA2, EPSILON] = [0.9, 0.999, 1e-8];

function stateOf(optimizer: OptimizerName, parameters: Arrays): State {
  if (optimizer === 'sgd') return { parameters };
  const zeros = () => tree.map((p: np.Array) => np.zeros(p.shape), parameters) as Arrays;
  return { parameters, first: zeros(), second: zeros(), count: { steps: np.zeros([]) } };
}

/** An array of each parameter from those of the given ones. */
function each(of: (...arrays: np.Array[]) => np.Array, first: Arrays, ...others: Arrays[]): Arrays {
  return Object.fromEntries(
    Object.entries(first).map(([name, array]) => [name, of(array, ...others.map((other) => other[name]))]),
  );
}

const UPDATES: Readonly<Record<OptimizerName, (before: State, gradients: Arrays) => State>> = {
  sgd: ({ parameters }, gradients) => ({
    parameters: each((p, g) => p.sub(g.mul(LEARNING_RATE.sgd)), parameters, gradients),
  }),

  adam({ parameters, first, second, count }, gradients) {
    const steps = count.steps.add(1);
    const left = (beta: number) => np.array(1).sub(np.exp(steps.ref.mul(Math.log(beta))));
    const [correction1, correction2] = [left(BETA1), left(BETA2)];
    const m = each((old, g) => old.mul(BETA1).add(g.ref.mul(1 - BETA1)), first, gradients);
    const v = each((old, g) => old.mul(BETA2).add(np.square(g).mul(1 - BETA2)), second, gradients);
    const moved = each(
      (p, one, two) => {
        const scale = np.sqrt(two.ref.div(correction2.ref)).add(EPSILON);
        return p.sub(one.ref.div(correction1.ref).div(scale).mul(LEARNING_RATE.adam));
      },
      ...([parameters, m, v] as const),
    );
    tree.dispose([correction1, correction2]);
    return { parameters: moved, first: m, second: v, count: { steps } };
  },
};

/** [B, 1, H, W] and [B, classes]. */
function upload(indices: Uint32Array, { train, mean, std }: TaskData) {
  const { input, classes } = lenet5;
  const pixels = input[1] * input[2];
  const images = new Float32Array(indices.length * pixels);
  const labels = new Float32Array(indices.length * classes);
  indices.forEach((index, i) => {
    for (let p = 0; p < pixels; p++) {
      images[i * pixels + p] = (train.images[index * pixels + p] / 255 - mean[0]) / std[0];
    }
    labels[i * classes + train.labels[index]] = 1;
  });
  return {
    images: np.array(images).reshape([indices.length, ...input]),
    labels: np.array(labels).reshape([indices.length, classes]),
  };
}
