/** Models for tests that take seconds for each. */
import { count } from '../../base/testing/tier.ts';
import { models } from '../index.ts';
import type { Model } from '../model.ts';

/** Made by the same functions as others, with other sizes or more blocks. */
const REPEATED = ['alexnet_224', 'googlenet_224', 'resnet18', 'resnet32', 'resnet44', 'resnet56', 'vgg19'];

/** One of each kind; in `npm run test:exhaustive`, all of them. */
export const variedModels = (): readonly Model[] =>
  models.all().filter(({ name }) => count(0, 0, 1) > 0 || !REPEATED.includes(name));
