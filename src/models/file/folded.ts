import { Failure } from '../../base/result.ts';
import { foldBatchNorm } from '../../engine/fold.ts';
import type { StateDict } from '../../engine/parameters.ts';
import type { Model } from '../model.ts';

/** @throws Failure `bad-input` if the model has no batch norm */
export function requireBatchNorm({ title, layers }: Model): void {
  if (layers.some(({ op }) => op === 'batch_norm')) return;
  throw new Failure(
    'bad-input',
    `${title} has no batch normalisation, so there is nothing to fold`,
    'Choose a model with batch norm, such as resnet20.',
  );
}

/**
 * The model with batch norm folded into the layers before it, and its parameters. It predicts the same.
 * @throws Failure `bad-input` if no batch norm can be folded
 */
export function foldModel(
  model: Model,
  parameters: StateDict,
): { model: Model; parameters: StateDict; folded: readonly string[] } {
  requireBatchNorm(model);
  const folded = foldBatchNorm(model.layers, [1, ...model.input], parameters);
  if (folded.folded.length === 0) {
    throw new Failure(
      'bad-input',
      `${model.title}: no batch norm directly follows a convolution or linear layer that only it reads, so none can be folded`,
    );
  }
  return {
    model: {
      ...model,
      name: `${model.name}_folded`,
      title: `${model.title}, batch norm folded`,
      description: `For inference: ${folded.folded.length} batch norm layers are folded into the layers before them.`,
      layers: folded.layers,
    },
    parameters: folded.parameters,
    folded: folded.folded,
  };
}
