/** LeNet in jax-js: one jitted function for inference, one for a training step. `.ref` keeps an array for another use. */
import { defaultDevice, init, jit, lax, nn, numpy as np, tree, valueAndGrad } from '@jax-js/jax';
import type { Contender } from '../contender.ts';
import { arraysOf } from '../weights/jax.ts';

type Arrays = Record<string, np.Array>;

const jax: Contender = {
  async open(backend, { weights, train, batchSize, learningRate }) {
    if (backend !== 'webgpu' && backend !== 'wasm') throw new Error(`jax-js has no backend ${backend}`);
    if (!(await init(backend)).includes(backend)) throw new Error(`jax-js has no ${backend} here`);
    const select = () => void defaultDevice(backend);
    select();
    let parameters: Arrays = arraysOf(weights);
    const batches = Array.from({ length: train.count / batchSize }, (_, i) => ({
      images: imagesOf(train.images.subarray(784 * i * batchSize, 784 * (i + 1) * batchSize)),
      labels: oneHot(train.labels.subarray(i * batchSize, (i + 1) * batchSize)),
    }));
    const probabilities = jit((p: Arrays, images: np.Array) => nn.softmax(logitsOf(p, images)));
    const step = jit((before: Arrays, images: np.Array, labels: np.Array) => {
      const [loss, gradients] = valueAndGrad(lossOf)(tree.ref(before), images, labels);
      const update = (name: string) => before[name].sub((gradients as Arrays)[name].mul(learningRate));
      return [Object.fromEntries(Object.keys(before).map((name) => [name, update(name)])), loss] as [
        Arrays,
        np.Array,
      ];
    });
    let done = 0;
    return {
      select,
      infer: (image) => probabilities(tree.ref(parameters), imagesOf(image)).data() as Promise<Float32Array>,

      async train(steps) {
        const losses: Promise<ArrayLike<number>>[] = [];
        for (let i = 0; i < steps; i++) {
          const { images, labels } = batches[done++ % batches.length];
          const [after, loss] = step(parameters, images.ref, labels.ref);
          parameters = after;
          // It computes only what is awaited; sixteen steps may be on their way.
          losses.push(loss.data());
          await losses[i - 16];
        }
        return (await Promise.all(losses))[steps - 1][0];
      },
    };
  },
};

export default jax;

const imagesOf = (bytes: Uint8Array): np.Array =>
  np.array(Float32Array.from(bytes, (byte) => byte / 255)).reshape([bytes.length / 784, 1, 28, 28]);

function oneHot(labels: Uint8Array): np.Array {
  const rows = new Float32Array(10 * labels.length);
  labels.forEach((label, i) => (rows[10 * i + label] = 1));
  return np.array(rows).reshape([labels.length, 10]);
}

const lossOf = (p: Arrays, images: np.Array, labels: np.Array): np.Array =>
  nn
    .logSoftmax(logitsOf(p, images))
    .mul(labels)
    .sum()
    .mul(-1 / images.shape[0]);

function logitsOf(p: Arrays, images: np.Array): np.Array {
  const conv = (x: np.Array, name: string, pad: number) => {
    const y = lax.convGeneralDilated(
      x,
      p[`${name}.weight`],
      [1, 1],
      [
        [pad, pad],
        [pad, pad],
      ],
    );
    return nn.relu(y.add(p[`${name}.bias`].reshape([-1, 1, 1])));
  };
  // Windows that do not overlap are a reshape and a maximum.
  const pool = (x: np.Array) => {
    const [N, C, H, W] = x.shape;
    return x.reshape([N, C, H / 2, 2, W / 2, 2]).max([3, 5]);
  };
  const linear = (x: np.Array, name: string) =>
    np.dot(x, p[`${name}.weight`].transpose()).add(p[`${name}.bias`]);
  const flat = pool(conv(pool(conv(images, 'conv1', 2)), 'conv2', 0)).reshape([images.shape[0], 400]);
  return linear(nn.relu(linear(nn.relu(linear(flat, 'fc1')), 'fc2')), 'fc3');
}
