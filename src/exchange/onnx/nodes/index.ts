/** How each ONNX operator is read: https://onnx.ai/onnx/operators/ */
import type { NodeProto } from 'onnx-buf';
import { FORMATS } from '../../../ops/writers.ts';
import type { OnnxNetwork } from '../network.ts';
import { ACTIVATIONS } from './activations.ts';
import { ARITHMETIC } from './arithmetic.ts';
import { CONSTANTS } from './constants.ts';
import type { Readers } from './reader.ts';
import { SHAPES } from './shapes.ts';

const GENERAL: Readers = { ...CONSTANTS, ...ACTIVATIONS, ...SHAPES, ...ARITHMETIC };

/** Of ops, which are asked first. */
const OWN = FORMATS.all().flatMap(({ op, onnx }) =>
  Object.entries(onnx.read ?? {}).map(([opType, reader]) => ({ op, opType, reader })),
);

/** @returns whether there is a reader for the node */
export function readNode(network: OnnxNetwork, node: NodeProto): boolean {
  const { opType } = node;
  const own = OWN.filter((one) => one.opType === opType);
  const begun = own.filter(({ op }) => network.begunAt(node, op));
  if ([...begun, ...own].some(({ reader }) => reader(network, node))) return true;
  if (!Object.hasOwn(GENERAL, opType)) return false;
  GENERAL[opType](network, node);
  return true;
}
