import * as tf from '@tensorflow/tfjs';
import lenet5 from '../../src/models/lenet5.ts';
import { openTfjs, titleOn } from '../libraries/tfjs.ts';
import { initialParameters } from './parameters.ts';
import { BATCHES, batchOf, LEARNING_RATE, type Library, type TaskData } from './peer.ts';

type Variables = Readonly<Record<string, tf.Variable>>;

/**
 * TensorFlow.js with its core operations: the least that it can be asked to do for a step. The
 * batches are on the device before the clock starts, as floats and one-hot labels, and no loss is read before the last step.
 */
const tfjs: Library = {
  titleOn,

  async open(task, data) {
    await openTfjs(task.engine);
    const variables = variablesOf(task.seed);
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
          const loss = () => tf.losses.softmaxCrossEntropy(labels, logitsOf(variables, images)).asScalar();
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

function logitsOf(v: Variables, images: tf.Tensor4D): tf.Tensor2D {
  const conv = (x: tf.Tensor4D, name: string, pad: number) =>
    tf.relu(
      tf.add(tf.conv2d(x, v[`${name}.weight`] as unknown as tf.Tensor4D, 1, pad), v[`${name}.bias`]),
    ) as tf.Tensor4D;
  const linear = (x: tf.Tensor2D, name: string) =>
    tf.add(tf.matMul(x, v[`${name}.weight`]), v[`${name}.bias`]) as tf.Tensor2D;
  const first = tf.maxPool(conv(images, 'conv1', 2), 2, 2, 0);
  const second = tf.maxPool(conv(first, 'conv2', 0), 2, 2, 0);
  const flat = tf.reshape(second, [images.shape[0], -1]) as tf.Tensor2D;
  return linear(tf.relu(linear(tf.relu(linear(flat, 'fc1')), 'fc2')), 'fc3');
}

/** PyTorch's layouts become TensorFlow's: filters K C R S to R S C K, matrices out-in to in-out, channels last. */
function variablesOf(seed: number): Variables {
  const variables: Record<string, tf.Variable> = {};
  for (const [name, { shape, data }] of initialParameters(seed)) {
    variables[name] = tf.tidy(() => {
      const tensor = tf.tensor(data, [...shape]);
      if (name === 'fc1.weight') {
        // Its inputs are the second pooling's C x 5 x 5, which lie there as 5 x 5 x C here.
        const [out, inputs] = shape;
        const planes = tf.reshape(tensor, [out, inputs / 25, 5, 5]);
        return tf.variable(tf.reshape(tf.transpose(planes, [2, 3, 1, 0]), [inputs, out]));
      }
      const order = shape.length === 4 ? [2, 3, 1, 0] : shape.length === 2 ? [1, 0] : [0];
      return tf.variable(tf.transpose(tensor, order));
    });
  }
  return variables;
}

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
    labels: tf.tidy(() => tf.oneHot(tf.tensor1d(classes, 'int32'), lenet5.classes).toFloat()),
  };
}
