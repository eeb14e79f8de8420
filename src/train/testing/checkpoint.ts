/** For tests of readers: a checkpoint as plain data, of a run that was never trained. */
import { inferShapes, layoutParameters } from '../../engine/network.ts';
import type { Model } from '../../models/model.ts';
import { completed } from '../../run/settings/rules.ts';
import type { Checkpoint } from '../checkpoint.ts';

const model: Model = {
  name: 'small',
  title: 'Small',
  description: '',
  input: [1, 8, 8],
  classes: 4,
  layers: [
    { name: 'conv', op: 'conv', attributes: { outChannels: 4, kernelSize: [3, 3], padding: [1, 1] } },
    { name: 'relu', op: 'relu' },
    { name: 'pool', op: 'max_pool', attributes: { kernelSize: [2, 2], stride: [2, 2] } },
    { name: 'flatten', op: 'flatten' },
    { name: 'fc', op: 'linear', attributes: { outFeatures: 4 } },
  ],
};

/** Plain in all its parts. */
export function someCheckpoint(): Checkpoint {
  const { length } = layoutParameters(inferShapes(model.layers, [1, ...model.input]));
  const choice = { algorithm: 'direct', launch: 'one thread per output', by: 'get' } as const;
  const state = () => Float32Array.from({ length }, (_, i) => Math.sin(i));
  return {
    step: 40,
    epoch: 2,
    config: {
      ...completed({ optimizer: 'adam', epochs: 3 }),
      model,
      choices: { workspace: 2 ** 26, layers: { conv: { fprop: choice, wgrad: choice } } },
      lastStep: 60,
      learningRate: { schedule: 'constant', steps: 60 },
      adjustments: [{ step: 10, lr: 0.01 }],
    } as unknown as Checkpoint['config'],
    dataset: { name: 'digits', classes: ['0', '1', '2', '3'], mean: [0.1], std: [0.3] },
    snapshot: { parameters: state(), exp_avg: state(), exp_avg_sq: state() },
    history: {
      epoch: { loss: 1.5, steps: 3 },
      loss: 0.5,
      evaluations: [{ step: 20, epoch: 1, trainLoss: 1, testLoss: 1, testAccuracy: 0.5 }],
      due: 60,
    },
  } as Checkpoint;
}
