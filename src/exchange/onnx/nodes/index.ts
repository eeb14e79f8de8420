/** How each ONNX operator is read: https://onnx.ai/onnx/operators/ */
import { FORMATS } from '../../../ops/writers.ts';
import { ACTIVATIONS } from './activations.ts';
import { ARITHMETIC } from './arithmetic.ts';
import { CONSTANTS } from './constants.ts';
import { PARAMETERS } from './parameters.ts';
import { POOLING } from './pooling.ts';
import type { Reader, Readers } from './reader.ts';
import { SHAPES } from './shapes.ts';

const GENERAL: Readers = {
  ...CONSTANTS,
  ...PARAMETERS,
  ...ACTIVATIONS,
  ...POOLING,
  ...SHAPES,
  ...ARITHMETIC,
};

/** Of ops that have readers of their own, which are asked first. */
const own = FORMATS.all().flatMap(({ onnx }) => Object.entries(onnx.read ?? {}));

/** By the operator's name. */
export const READERS: ReadonlyMap<string, Reader> = new Map(
  [...Object.keys(GENERAL), ...own.map(([opType]) => opType)].map((opType) => {
    const readers = own.filter(([name]) => name === opType).map(([, reader]) => reader);
    return [
      opType,
      (network, node) => {
        if (readers.some((reader) => reader(network, node))) return;
        if (!Object.hasOwn(GENERAL, opType)) throw network.unsupported(node, 'wgrad has no layer for it');
        GENERAL[opType](network, node);
      },
    ];
  }),
);
