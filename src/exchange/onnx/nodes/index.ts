/** How each ONNX operator is read: https://onnx.ai/onnx/operators/ */
import type { NodeProto } from 'onnx-buf';
import { FORMATS } from '../../../ops/writers.ts';
import type { OnnxNetwork } from '../network.ts';
import { ACTIVATIONS } from './activations.ts';
import { ARITHMETIC } from './arithmetic.ts';
import { CONSTANTS } from './constants.ts';
import { PARAMETERS } from './parameters.ts';
import { POOLING } from './pooling.ts';
import type { Readers } from './reader.ts';
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
const OWN = FORMATS.all().flatMap(({ onnx }) => Object.entries(onnx.read ?? {}));

/** @returns whether there is a reader for the node */
export function readNode(network: OnnxNetwork, node: NodeProto): boolean {
  const { opType } = node;
  if (OWN.some(([name, reader]) => name === opType && reader(network, node))) return true;
  if (!Object.hasOwn(GENERAL, opType)) return false;
  GENERAL[opType](network, node);
  return true;
}
