/** A model, data and settings that are known to do something, with a word on why. */
import type { Augmentation } from '../../base/augmentation.ts';
import type { OptimizerSettings } from '../../engine/optimizers/optimizer.ts';

export interface Preset {
  /** "resnet20-cifar-10" */
  readonly name: string;
  /** For people: "ResNet-20 on CIFAR-10". */
  readonly title: string;
  /** What comes of it, and why: settings with their reasons, and what was measured. */
  readonly description: string;
  /** Whether it is worth waiting for without a GPU. */
  readonly light: boolean;
  /** A registered model's name. */
  readonly model: string;
  /** A data set's name. */
  readonly dataset: string;
  readonly epochs: number;
  readonly batchSize: number;
  /** A registered optimiser's name, and what differs from its defaults. */
  readonly optimizer: string;
  readonly settings: Partial<Omit<OptimizerSettings, 'lr'>> & Pick<OptimizerSettings, 'lr'>;
  /** A registered schedule's name, over all epochs. Default: the learning rate stays as it is. */
  readonly schedule?: string;
  readonly warmupEpochs?: number;
  /** How training images are varied; what is not named is off. */
  readonly augmentation?: Partial<Augmentation>;
  readonly labelSmoothing?: number;
}
