/** How each ONNX operator is read: https://onnx.ai/onnx/operators/ */
import { ACTIVATIONS } from './activations.ts';
import { ARITHMETIC } from './arithmetic.ts';
import { CONSTANTS } from './constants.ts';
import { PARAMETERS } from './parameters.ts';
import { POOLING } from './pooling.ts';
import type { Readers } from './reader.ts';
import { SHAPES } from './shapes.ts';

export const READERS: Readers = {
  ...CONSTANTS,
  ...PARAMETERS,
  ...ACTIVATIONS,
  ...POOLING,
  ...SHAPES,
  ...ARITHMETIC,
};
