import type { OptimizerName, RunSettings } from '../../../run/settings/table.ts';
import type { ProjectSubject } from './subject.ts';

/** An optimiser in a PyTorch project. */
export interface TorchOptimizer {
  name: OptimizerName;
  /** Its class: "torch.optim.SGD". */
  kind: string;
  /** Arguments besides learning rate and weight decay. */
  settings(settings: RunSettings): string[];
  /** Arguments that make it fast on a GPU: expressions of the device and of `captured`. */
  onGpu?: string[];
  /** Weight decay by default. Default: 0. */
  weightDecay?: number;
  /** The states that it has with these settings, which are named the same here. */
  states(settings: RunSettings): string[];
  /** It counts its steps. */
  counts?: true;
  /** The project's file that defines the class, where PyTorch has none. */
  module?: { file: `${string}.py`; text(subject: ProjectSubject): string };
}

/** An argument that differs from PyTorch's default. */
export const unless = (name: string, value: number | boolean, usual: number | boolean): string[] =>
  value === usual ? [] : [`${name}=${typeof value === 'boolean' ? 'True' : value}`];

/** The state of momentum, if there is any. */
export const momentumState = ({ momentum }: RunSettings): string[] =>
  momentum > 0 ? ['momentum_buffer'] : [];
