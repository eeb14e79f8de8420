/** How the layers of every op are written and read: the folders here, and the files of activations. */
import { found, foundByName, Registry } from '../base/registry.ts';
import type { ActivationFormats } from './activation.ts';
import * as formats from './formats.ts';
import * as layer from './layer.ts';
import * as onnx from './onnx.ts';
import * as tfjs from './tfjs.ts';

const activations = foundByName<ActivationFormats>(
  // As in abouts.ts.
  import.meta.glob('./activation/*.ts', { eager: true, import: 'formats', query: '?formats' }),
);

const WITHOUT: Required<Pick<formats.Formats, 'keras' | 'tfjs'>> = {
  keras({ layer: of }) {
    throw layer.unsupported(of, 'Keras', 'it has no such layer');
  },
  tfjs: {
    write({ layer: of }) {
      throw tfjs.notInTfjs(of, 'it has no such layer');
    },
  },
};

/** By the op's name. */
export const FORMATS = new Registry(
  'op',
  [
    ...activations.map(([op, of]) => ({ op, ...of({ ...formats, ...layer, ...onnx, ...tfjs }) })),
    ...found<formats.Formats>(import.meta.glob('./*/formats.ts', { eager: true, import: 'default' })),
  ].map((one) => ({ ...WITHOUT, ...one, name: one.op })),
);
