/** LeNet on wgrad's engine: it compiles a list of layers into plans. */
import sgd from '../../src/engine/optimizers/sgd.ts';
import { MAX_STEPS, Trainer } from '../../src/engine/trainer.ts';
import { openDevice } from '../../src/gpu/device.ts';
import { gpuOf } from '../gpu.ts';
import type { Contender } from '../contender.ts';

const layers = [
  { name: 'conv1', op: 'conv', attributes: { outChannels: 6, kernelSize: [5, 5], padding: [2, 2] } },
  { name: 'relu1', op: 'relu' },
  { name: 'pool1', op: 'max_pool', attributes: { kernelSize: [2, 2], stride: [2, 2] } },
  { name: 'conv2', op: 'conv', attributes: { outChannels: 16, kernelSize: [5, 5] } },
  { name: 'relu2', op: 'relu' },
  { name: 'pool2', op: 'max_pool', attributes: { kernelSize: [2, 2], stride: [2, 2] } },
  { name: 'flatten', op: 'flatten' },
  { name: 'fc1', op: 'linear', attributes: { outFeatures: 120 } },
  { name: 'relu3', op: 'relu' },
  { name: 'fc2', op: 'linear', attributes: { outFeatures: 84 } },
  { name: 'relu4', op: 'relu' },
  { name: 'fc3', op: 'linear', attributes: { outFeatures: 10 } },
];

const wgrad: Contender = {
  async open(backend, { weights, train, batchSize, learningRate }) {
    const settings = { ...sgd.defaults, momentum: 0, lr: learningRate };
    const device = await openDevice(await gpuOf(backend));
    const trainer = await Trainer.create(device, {
      ...{ layers, input: [1, 28, 28], classes: 10, batchSize, optimizer: sgd, settings, train },
      normalisation: { mean: [0], std: [1] },
    });
    trainer.parameters.load(weights);
    let done = 0;
    const nextStep = () => {
      const first = (done++ * batchSize) % train.count;
      const indices = Uint32Array.from({ length: batchSize }, (_, i) => first + i);
      return { ...sgd.stepFields(done, settings), indices };
    };
    return {
      device: device.adapter.description,
      infer: (image) => trainer.predict(image),

      async train(steps) {
        for (let count = 0, left = steps; left > 0; left -= count) {
          count = Math.min(left, MAX_STEPS);
          trainer.submit(Array.from({ length: count }, nextStep));
        }
        const [{ loss }] = await trainer.readMetrics(1);
        return loss;
      },
    };
  },
};

export default wgrad;
