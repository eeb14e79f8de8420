/** The filters that can whiten a network's images; whitening.ts computes them. */
import { Failure } from '../base/result.ts';
import type { Shape } from '../base/shape.ts';
import { IMAGES, sourcesOf } from '../engine/graph.ts';
import { inferShapes } from '../engine/network.ts';
import type { Model } from '../models/model.ts';

export type FittedModel = Pick<Model, 'layers' | 'input'>;

/**
 * The filters that can whiten the images: their parameter's name and shape.
 * @param model fitted to the images
 * @throws Failure `bad-input` if no convolution without groups reads the images, or its filters are larger than they
 */
export function whitenedWeight({ layers, input }: FittedModel): { name: string; shape: Shape } {
  const sources = sourcesOf(layers);
  const first = layers.findIndex(({ op }, i) => op === 'conv' && sources[i][0] === IMAGES);
  const weight = inferShapes(layers, [1, ...input])[first]?.parameters.find(({ name }) => name === 'weight');
  const [C, H, W] = input;
  if (!weight || weight.shape[1] !== C || weight.shape[2] > H || weight.shape[3] > W)
    throw new Failure(
      'bad-input',
      'whitening: expected a first convolution without groups, with filters that fit the images; found none',
      'Choose a model that starts with one, or turn whitening off.',
    );
  return { name: `${layers[first].name}.weight`, shape: weight.shape };
}
