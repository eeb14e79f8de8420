/** What readers of ONNX nodes share. */
import type { NodeProto } from 'onnx-buf';
import type { OnnxNetwork } from '../network.ts';

export type Reader = (network: OnnxNetwork, node: NodeProto) => void;

/** By the operator's name. */
export type Readers = Readonly<Record<string, Reader>>;

export const isClose = (value: number, wanted: number): boolean =>
  Math.abs(value - wanted) <= 1e-6 * Math.abs(wanted);

export const passOn: Reader = (network, node) => network.passOn(node);
