/** The networks that wgrad trained itself and comes with: runs can start from them. See public/trained/README.txt. */
import { Registry } from '../base/registry.ts';

export interface TrainedNetwork {
  /** In the setting "Initial weights", and for the option --weights: "resnet20-cifar-10". */
  readonly name: string;
  /** For display: "ResNet-20 trained on CIFAR-10". */
  readonly title: string;
  /** A registered model's name. */
  readonly model: string;
  /** Below the page's folder. */
  readonly file: string;
  /** [C, H, W] of its images. */
  readonly shape: readonly [number, number, number];
}

export const trainedNetworks = new Registry<TrainedNetwork>('trained network', [
  {
    name: 'lenet5-mnist',
    title: 'LeNet-5 trained on MNIST',
    model: 'lenet5',
    file: 'trained/lenet5.safetensors',
    shape: [1, 28, 28],
  },
  {
    name: 'resnet20-cifar-10',
    title: 'ResNet-20 trained on CIFAR-10',
    model: 'resnet20',
    file: 'trained/resnet20.safetensors',
    shape: [3, 32, 32],
  },
]);
