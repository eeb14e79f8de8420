/** What readers of ONNX nodes share. */
import type { NodeProto } from 'onnx-buf';
import type { OnnxNetwork } from '../network.ts';

export type Reader = (network: OnnxNetwork, node: NodeProto) => void;

/** By the operator's name. */
export type Readers = Readonly<Record<string, Reader>>;

// Attributes, with ONNX's defaults.
export const attributeOf = (node: NodeProto, name: string) => node.attribute.find((one) => one.name === name);
export const wholeOf = (node: NodeProto, name: string, usual: number): number =>
  Number(attributeOf(node, name)?.i ?? usual);
export const numberOf = (node: NodeProto, name: string, usual: number): number =>
  rounded(attributeOf(node, name)?.f ?? usual);
export const listOf = (node: NodeProto, name: string): number[] | undefined =>
  attributeOf(node, name)?.ints.map(Number);
export const wordOf = (node: NodeProto, name: string, usual: string): string => {
  const found = attributeOf(node, name);
  return found ? new TextDecoder().decode(found.s.subarray(0, 100)) : usual;
};

/** The shortest decimal number that is this float32: 0.1 instead of 0.10000000149. */
export const rounded = (value: number): number => {
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === Math.fround(value)) return short;
  }
  return value;
};

export const isClose = (value: number, wanted: number): boolean =>
  Math.abs(value - wanted) <= 1e-6 * Math.abs(wanted);

/** An operator that is a layer of one input without attributes. */
export const layer =
  (op: string): Reader =>
  (network, node) =>
    network.add(node, op, [network.source(node)]);

export const passOn: Reader = (network, node) => network.define(node.output[0], network.input(node));
