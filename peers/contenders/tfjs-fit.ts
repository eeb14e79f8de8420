/** LeNet in TensorFlow.js, with its Layers API, whose `fit` goes through the batches. */
import * as tf from '@tensorflow/tfjs-core';
import { layers, sequential } from '@tensorflow/tfjs-layers';
import type { Contender } from '../contender.ts';
import { loadBackend } from '../tfjs-backends.ts';
import { tensorsOf } from '../weights/tfjs.ts';

const tfjsFit: Contender = {
  async open(backend, { weights, train, batchSize, learningRate }) {
    await loadBackend(backend);
    const select = () => tf.setBackend(backend);
    if (!(await select())) throw new Error(`TensorFlow.js cannot start its backend ${backend}`);
    const relu = { activation: 'relu', kernelSize: 5 } as const;
    const model = sequential({
      layers: [
        layers.conv2d({ ...relu, filters: 6, padding: 'same', inputShape: [28, 28, 1] }),
        layers.maxPooling2d({ poolSize: 2 }),
        layers.conv2d({ ...relu, filters: 16 }),
        layers.maxPooling2d({ poolSize: 2 }),
        layers.flatten(),
        layers.dense({ units: 120, activation: 'relu' }),
        layers.dense({ units: 84, activation: 'relu' }),
        layers.dense({ units: 10, activation: 'softmax' }),
      ],
    });
    model.setWeights(Object.values(tensorsOf(weights)));
    model.compile({ optimizer: tf.train.sgd(learningRate), loss: 'categoricalCrossentropy' });
    const images = imagesOf(train.images);
    const labels = tf.tidy(() => tf.cast(tf.oneHot(tf.tensor1d(train.labels, 'int32'), 10), 'float32'));
    let done = 0;
    return {
      select,
      async infer(image) {
        const answer = tf.tidy(() => model.predict(imagesOf(image)) as tf.Tensor);
        const probabilities = await answer.data();
        answer.dispose();
        return probabilities;
      },

      async train(steps) {
        let loss = NaN;
        for (let left = steps * batchSize, count = 0; left > 0; left -= count, done += count) {
          const first = done % train.count;
          count = Math.min(left, train.count - first);
          const x = tf.slice(images, first, count);
          const y = tf.slice(labels, first, count);
          // To yield, it waits for a frame, and a worker's worker has none.
          const { history } = await model.fit(x, y, { batchSize, shuffle: false, yieldEvery: 'never' });
          loss = history.loss[0] as number;
          tf.dispose([x, y]);
        }
        return loss;
      },
    };
  },
};

export default tfjsFit;

const imagesOf = (bytes: Uint8Array): tf.Tensor4D =>
  tf.tidy(() => tf.div(tf.tensor4d(bytes, [bytes.length / 784, 28, 28, 1], 'float32'), 255));
