/** What readers of ONNX nodes share. */
import type { NodeProto } from 'onnx-buf';
import type { OnnxNetwork, OnnxValue } from '../network.ts';

export type Reader = (network: OnnxNetwork, node: NodeProto) => void;

/** By the operator's name. */
export type Readers = Readonly<Record<string, Reader>>;

export const isClose = (value: number, wanted: number): boolean =>
  Math.abs(value - wanted) <= 1e-6 * Math.abs(wanted);

/** A layer's output times a number. */
export const scaledOf = (value: OnnxValue): { of: string; factor: number } | undefined =>
  value.kind === 'begun' && value.op === 'scale'
    ? { of: value.of, factor: Number(value.attributes['factor']) }
    : undefined;

export const passOn: Reader = (network, node) => network.passOn(node);
