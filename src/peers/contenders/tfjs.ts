/** LeNet in TensorFlow.js, with its core operations. Its tensors have channels last. */
import * as tf from '@tensorflow/tfjs-core';
import type { Contender, Task } from '../contender.ts';
import { loadBackend } from '../tfjs-backends.ts';

type Variables = Readonly<Record<string, tf.Variable>>;

const tfjs: Contender = {
  async open(backend, { weights, train, batchSize, learningRate }) {
    await loadBackend(backend);
    const select = () => tf.setBackend(backend);
    if (!(await select())) throw new Error(`TensorFlow.js cannot start its backend ${backend}`);
    const variables = variablesOf(weights);
    const infer = async (image: Uint8Array) => {
      const answer = tf.tidy(() => tf.softmax(logitsOf(variables, imagesOf(image))));
      const probabilities = await answer.data();
      answer.dispose();
      return probabilities;
    };
    // Its WebAssembly backend has no gradients of convolutions.
    if (backend === 'wasm') return { select, infer };
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
        const losses: tf.Scalar[] = [];
        for (let i = 0; i < steps; i++) {
          const { images, labels } = batches[done++ % batches.length];
          const lossOf = () =>
            tf.losses.softmaxCrossEntropy(labels, logitsOf(variables, images)) as tf.Scalar;
          losses.push(optimizer.minimize(lossOf, true, list) as tf.Scalar);
        }
        const numbers = await Promise.all(losses.map(async (loss) => (await loss.data())[0]));
        tf.dispose(losses);
        return numbers;
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

/** Filters K C R S become R S C K, matrices in x out; fc1 reads 5 x 5 x 16 here, where PyTorch has 16 x 5 x 5. */
function variablesOf(weights: Task['weights']): Variables {
  const variables: Record<string, tf.Variable> = {};
  for (const [name, { shape, data }] of weights) {
    variables[name] = tf.tidy(() => {
      const tensor = tf.tensor(data, [...shape]);
      if (shape.length === 1) return tf.variable(tensor);
      if (shape.length === 4) return tf.variable(tf.transpose(tensor, [2, 3, 1, 0]));
      if (name !== 'fc1.weight') return tf.variable(tf.transpose(tensor));
      const planes = tf.transpose(tf.reshape(tensor, [120, 16, 5, 5]), [2, 3, 1, 0]);
      return tf.variable(tf.reshape(planes, [400, 120]));
    });
  }
  return variables;
}
