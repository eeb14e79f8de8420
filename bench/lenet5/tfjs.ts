import { logitsOf } from '../../peers/contenders/tfjs.ts';
import { tf } from '../../peers/libraries/tfjs.ts';
import { tensorsOf } from '../../peers/weights/tfjs.ts';
import lenet5 from '../../src/models/lenet5.ts';
import { openTfjs, titleOn } from '../libraries/tfjs.ts';
import { initialParameters } from './parameters.ts';
import { BATCHES, batchOf, LEARNING_RATE, type Library, type TaskData } from './peer.ts';

/**
 * TensorFlow.js with its core operations: the least that it can be asked to do for a step. The
 * batches are on the device before the clock starts, as floats and one-hot labels, and no loss is read before the last step.
 */
const tfjs: Library = {
  titleOn,

  async open(task, data) {
    await openTfjs(task.engine);
    const variables = Object.fromEntries(
      Object.entries(tensorsOf(initialParameters(task.seed))).map(([name, tensor]) => [
        name,
        tf.variable(tensor),
      ]),
    );
    const batches = Array.from({ length: BATCHES }, (_, i) => upload(batchOf(i, task.batchSize, data), data));
    const optimizer =
      task.optimizer === 'sgd'
        ? tf.train.sgd(LEARNING_RATE.sgd)
        : // Its own epsilon would be 1e-7.
          tf.train.adam(LEARNING_RATE.adam, 0.9, 0.999, 1e-8);
    const list = Object.values(variables);
    let done = 0;
    return {
      async train(steps) {
        const start = performance.now();
        const costs: tf.Scalar[] = [];
        for (let i = 0; i < steps; i++, done++) {
          const { images, labels } = batches[done % BATCHES];
          const loss = () => tf.losses.softmaxCrossEntropy(labels, logitsOf(variables, images)) as tf.Scalar;
          const cost = optimizer.minimize(loss, true, list);
          if (!cost) throw new Error('TensorFlow.js: minimize gave no loss');
          costs.push(cost);
        }
        // Reading waits for everything before it on the queue, the last update too; it reads what was issued last.
        await costs[steps - 1].data();
        const ms = performance.now() - start;
        const losses = await Promise.all(costs.map(async (cost) => (await cost.data())[0]));
        tf.dispose(costs);
        return { ms, losses };
      },

      close() {
        optimizer.dispose();
        tf.dispose([...list, ...batches.flatMap(({ images, labels }) => [images, labels])]);
        return Promise.resolve();
      },
    };
  },
};

export default tfjs;

/** One channel, so that its planes are also channels last. */
function upload(indices: Uint32Array, { train, mean, std }: TaskData) {
  const [, height, width] = lenet5.input;
  const pixels = height * width;
  const images = new Float32Array(indices.length * pixels);
  indices.forEach((index, i) => {
    for (let p = 0; p < pixels; p++) {
      images[i * pixels + p] = (train.images[index * pixels + p] / 255 - mean[0]) / std[0];
    }
  });
  const classes = Int32Array.from(indices, (index) => train.labels[index]);
  return {
    images: tf.tensor4d(images, [indices.length, height, width, 1]),
    labels: tf.tidy(() => tf.cast(tf.oneHot(tf.tensor1d(classes, 'int32'), lenet5.classes), 'float32')),
  };
}
