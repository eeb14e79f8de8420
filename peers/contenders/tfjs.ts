/** LeNet in TensorFlow.js, with its core operations. Its tensors have channels last. */
import * as tf from '@tensorflow/tfjs-core';
import type { Contender } from '../contender.ts';
import { loadBackend } from '../tfjs-backends.ts';
import { tensorsOf } from '../weights/tfjs.ts';

type Variables = Readonly<Record<string, tf.Variable>>;

const tfjs: Contender = {
  async open(backend, { weights, train, batchSize, learningRate }) {
    await loadBackend(backend);
    const select = () => tf.setBackend(backend);
    if (!(await select())) throw new Error(`TensorFlow.js cannot start its backend ${backend}`);
    const variables: Record<string, tf.Variable> = {};
    for (const [name, tensor] of Object.entries(tensorsOf(weights))) variables[name] = tf.variable(tensor);
    const infer = async (image: Uint8Array) => {
      const answer = tf.tidy(() => tf.softmax(logitsOf(variables, imagesOf(image))));
      const probabilities = await answer.data();
      answer.dispose();
      return probabilities;
    };
    const batches = Array.from({ length: train.count / batchSize }, (_, i) => ({
      images: imagesOf(train.images.subarray(784 * i * batchSize, 784 * (i + 1) * batchSize)),
      labels: tf.tidy(() => {
        const classes = train.labels.subarray(i * batchSize, (i + 1) * batchSize);
        return tf.cast(tf.oneHot(tf.tensor1d(classes, 'int32'), 10), 'float32');
      }),
    }));
    const optimizer = tf.train.sgd(learningRate);
    const list = Object.values(variables);
    let done = 0;
    return {
      select,
      infer,

      async train(steps) {
        let last: tf.Scalar | null = null;
        for (let i = 0; i < steps; i++) {
          const { images, labels } = batches[done++ % batches.length];
          const lossOf = () =>
            tf.losses.softmaxCrossEntropy(labels, logitsOf(variables, images)) as tf.Scalar;
          last?.dispose();
          last = optimizer.minimize(lossOf, true, list);
        }
        const [loss] = (await last?.data()) ?? [];
        last?.dispose();
        return loss;
      },
    };
  },
};

export default tfjs;

const imagesOf = (bytes: Uint8Array): tf.Tensor4D =>
  tf.tidy(() => tf.div(tf.tensor4d(bytes, [bytes.length / 784, 28, 28, 1], 'float32'), 255));

function logitsOf(v: Variables, images: tf.Tensor4D): tf.Tensor2D {
  const conv = (x: tf.Tensor4D, name: string, pad: number) => {
    const filters = v[`${name}.weight`] as unknown as tf.Tensor4D;
    return tf.relu(tf.add<tf.Tensor4D>(tf.conv2d(x, filters, 1, pad), v[`${name}.bias`]));
  };
  const linear = (x: tf.Tensor2D, name: string) =>
    tf.add<tf.Tensor2D>(tf.matMul(x, v[`${name}.weight`]), v[`${name}.bias`]);
  const first = tf.maxPool(conv(images, 'conv1', 2), 2, 2, 0);
  const second = tf.maxPool(conv(first, 'conv2', 0), 2, 2, 0);
  const flat = tf.reshape<tf.Rank.R2>(second, [images.shape[0], 400]);
  return linear(tf.relu(linear(tf.relu(linear(flat, 'fc1')), 'fc2')), 'fc3');
}
