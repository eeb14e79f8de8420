import { found, Registry } from '../base/registry.ts';
import type { Model } from './model.ts';

/** Every architecture: the default exports of the files here, a model or an array of a family. */
export const models = new Registry<Model>(
  'model',
  found<Model>(
    import.meta.glob(
      [
        './*.ts',
        '!./index.ts',
        '!./layers.ts',
        '!./model.ts',
        '!./published.ts',
        '!./suites.ts',
        '!./*.test.ts',
      ],
      { eager: true, import: 'default' },
    ),
  ),
);
