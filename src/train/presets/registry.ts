import { found, Registry } from '../../base/registry.ts';
import type { Preset } from './preset.ts';

/** All presets: a file here with one as its default export is one. */
export const presets = new Registry<Preset>(
  'preset',
  found(
    import.meta.glob(['./*.ts', '!./*.test.ts', '!./registry.ts', '!./preset.ts'], {
      eager: true,
      import: 'default',
    }),
  ),
);
