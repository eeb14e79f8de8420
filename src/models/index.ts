import { found, Registry } from '../base/registry.ts';
import type { Model } from './model.ts';

/** Every architecture: one file each in this folder, found by being there. */
export const models = new Registry<Model>(
  'model',
  found<Model>(
    import.meta.glob(['./*.ts', '!./index.ts', '!./model.ts', '!./*.test.ts'], {
      eager: true,
      import: 'default',
    }),
  ),
);
