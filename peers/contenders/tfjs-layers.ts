/** LeNet in TensorFlow.js, with its Layers API: a sequential model, which trains batch by batch. */
import * as tf from '@tensorflow/tfjs-core';
import { layers, sequential } from '@tensorflow/tfjs-layers';
import type { Contender } from '../contender.ts';
import { loadBackend } from '../tfjs-backends.ts';
import { tensorsOf } from '../weights/tfjs.ts';

const tfjsLayers: Contender = {
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
    const batches = Array.from({ length: train.count / batchSize }, (_, i) => ({
      images: imagesOf(train.images.subarray(784 * i * batchSize, 784 * (i + 1) * batchSize)),
      labels: tf.tidy(() => {
        const classes = train.labels.subarray(i * batchSize, (i + 1) * batchSize);
        return tf.cast(tf.oneHot(tf.tensor1d(classes, 'int32'), 10), 'float32');
      }),
    }));
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
        for (let i = 0; i < steps; i++) {
          const { images, labels } = batches[done++ % batches.length];
          loss = (await model.trainOnBatch(images, labels)) as number;
        }
        return loss;
      },
    };
  },
};

export default tfjsLayers;

const imagesOf = (bytes: Uint8Array): tf.Tensor4D =>
  tf.tidy(() => tf.div(tf.tensor4d(bytes, [bytes.length / 784, 28, 28, 1], 'float32'), 255));
