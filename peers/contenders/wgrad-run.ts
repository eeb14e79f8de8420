/** LeNet as a training run of wgrad, as its command line makes one of a model, a data set and settings. */
import { DeviceSupply } from '../../src/gpu/supply.ts';
import { openDevice } from '../../src/gpu/device.ts';
import { completed } from '../../src/run/settings/rules.ts';
import { trainingConfig } from '../../src/train/config.ts';
import { TrainingRun } from '../../src/train/run.ts';
import type { Contender } from '../contender.ts';
import { gpuOf } from '../gpu.ts';

const model = {
  ...{ name: 'lenet5', title: 'LeNet-5', description: '', input: [1, 28, 28], classes: 10 },
  layers: [
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
  ],
};

const wgradRun: Contender = {
  async open(backend, { weights, train, batchSize, learningRate }) {
    const gpu = await gpuOf(backend);
    const supply = new DeviceSupply(() => openDevice(gpu));
    const settings = completed({ optimizer: 'sgd', lr: learningRate, batchSize, shuffle: false });
    const classes = Array.from('0123456789');
    const dataset = { name: 'squares', shape: model.input, classes, mean: [0], std: [1], train };
    let loss = NaN;
    const run = new TrainingRun({ ...trainingConfig(settings, model, dataset), initial: weights }, supply, {
      steps: (rows) => (loss = rows[rows.length - 1].loss),
      state(_, __, error) {
        if (error) throw new Error(error.message);
      },
    });
    return {
      device: (await supply.get()).adapter.description,
      infer: async (image) => (await run.predict(image)).probabilities,

      async train(steps) {
        await Promise.all(Array.from({ length: steps }, () => run.stepOnce()));
        return loss;
      },
    };
  },
};

export default wgradRun;
