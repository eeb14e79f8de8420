/** How layers are written as nodes of ONNX, and read from them: https://onnx.ai/onnx/operators/ */
import type { NodeProto } from 'onnx-buf';
import type { Failure } from '../base/result.ts';
import type { Shape } from '../base/shape.ts';
import { numberOf, type SourceLayer } from './layer.ts';

/** The value of a node's attribute. A number is an integer, `{ float }` is not. */
export type AttributeValue = number | string | readonly number[] | { readonly float: number };

/** The graph in the making. Values are strings, as in ONNX. */
export interface OnnxGraph {
  /** A name that no value has yet. */
  unique(wanted: string): string;
  /** A tensor of the file, of float32 or, from whole numbers, int64. @returns its name */
  tensor(wanted: string, shape: Shape, data: Float32Array | readonly number[]): string;
  /** Whole numbers that a node takes as an input: axes, sizes. */
  list(owner: string, values: readonly number[]): string;
  /** Adds a node. @param output the name it gives its value, which `unique` made */
  node(
    opType: string,
    input: readonly string[],
    output: string,
    attributes?: Readonly<Record<string, AttributeValue>>,
  ): string;
}

/** What writing a layer needs. */
export interface OnnxWriting {
  graph: OnnxGraph;
  layer: SourceLayer;
  /** The names of its inputs' values. */
  inputs: readonly string[];
  /** The name that its output gets. */
  output: string;
  /** The tensor of a parameter or buffer, undefined if the layer has none of this name. */
  parameter(name: string): string | undefined;
}

/** A constant of the graph. */
export interface Constant {
  /** As the file calls it. */
  name: string;
  shape: Shape;
  /** Values as float32, last dimension fastest. */
  data: Float32Array<ArrayBuffer>;
  /** Its type is a whole number: sizes and axes. */
  whole: boolean;
}

/** The network that grows while the nodes of a graph are read. */
export interface OnnxReading {
  /** The layer whose output an input is. @throws Failure if it is something else */
  source(node: NodeProto, i?: number): string;
  /** [C, H, W] or [C] of a layer's output. */
  shapeOf(layer: string): Shape;
  /** Why the file cannot be read: wgrad lacks what a node needs, or the file is wrong. */
  unsupported(node: NodeProto, why: string): Failure;
  bad(node: NodeProto, why: string): Failure;
  /** A constant input; undefined if the node does not have it. @throws Failure if it is computed */
  constantInput(node: NodeProto, i: number): Constant | undefined;
  /** The node's value is its input. */
  passOn(node: NodeProto): void;
  /** The first number of a constant input. */
  numberInput(node: NodeProto, i: number): number | undefined;
  /** Whole numbers of a constant input. */
  wholeInput(node: NodeProto, i: number): number[] | undefined;
  /** Adds a layer, whose output is the node's. @param weights by the names that the op gives them */
  add(
    node: NodeProto,
    op: string,
    inputs: readonly string[],
    attributes?: Readonly<Record<string, unknown>>,
    weights?: Readonly<Record<string, Constant | undefined>>,
  ): void;
  /** Adds a layer without parameters that is only the first part of what a node does. @returns its name */
  addLayer(
    node: NodeProto,
    op: string,
    inputs: readonly string[],
    attributes?: Readonly<Record<string, unknown>>,
  ): string;
  /** The nodes that read a value. */
  takersOf(name: string): readonly NodeProto[];
  /** Whether an input is a constant, and not what a node computes from the images. */
  isConstant(node: NodeProto, i: number): boolean;
  /** The node is a first part of a layer; its value waits for the rest. */
  begin(node: NodeProto, begun: Omit<BegunLayer, 'kind'>): void;
  /** What begun layer a node's first input is, if it is one of this op. */
  begunAt(node: NodeProto, op: string): BegunLayer | undefined;
}

/** The first part of a layer that is several nodes in ONNX, or what a later node may have as a part of its own. */
export interface BegunLayer {
  kind: 'begun';
  op: string;
  /** The layer that it reads. */
  of: string;
  attributes: Readonly<Record<string, unknown>>;
  /** For messages, if the rest does not follow: "a change of shape". */
  words: string;
  /** It is a whole layer if the rest does not follow. */
  whole?: boolean;
}

/** Adds a layer if the node is one of this op. @returns whether it is */
export type OnnxReader = (network: OnnxReading, node: NodeProto) => boolean;

export interface Onnx {
  write(writing: OnnxWriting): void;
  /** By operator. They are asked before those of exchange/onnx/nodes: first the reader of an op that the node's input begins. */
  read?: Readonly<Record<string, OnnxReader>>;
}

/**
 * An op that is one node.
 * @param attributes real numbers, by ONNX's names: the op's name for it, and ONNX's default
 */
export const operator = (
  op: string,
  opType: string,
  attributes: Readonly<Record<string, readonly [name: string, usual: number]>> = {},
): Onnx => {
  const entries = Object.entries(attributes);
  const read: OnnxReader = (network, node) => {
    const own = entries.map(([onnx, [name, usual]]) => [name, realOf(node, onnx, usual)] as const);
    network.add(node, op, [network.source(node)], Object.fromEntries(own));
    return true;
  };
  return {
    write: ({ graph, layer, inputs, output }) => {
      const own = entries.map(([onnx, [name]]) => [onnx, { float: numberOf(layer, name) }] as const);
      graph.node(opType, inputs, output, Object.fromEntries(own));
    },
    read: { [opType]: read },
  };
};

export const present = (names: readonly (string | undefined)[]): string[] =>
  names.filter((name) => name !== undefined);

// Attributes of nodes, with ONNX's defaults.
export const attributeOf = (node: NodeProto, name: string) => node.attribute.find((one) => one.name === name);
export const wholeOf = (node: NodeProto, name: string, usual: number): number =>
  Number(attributeOf(node, name)?.i ?? usual);
export const realOf = (node: NodeProto, name: string, usual: number): number =>
  rounded(attributeOf(node, name)?.f ?? usual);
/** Of all normalisations. */
export const epsilonOf = (node: NodeProto): number => realOf(node, 'epsilon', 1e-5);
export const listOf = (node: NodeProto, name: string): number[] | undefined =>
  attributeOf(node, name)?.ints.map(Number);
export const wordOf = (node: NodeProto, name: string, usual: string): string => {
  const found = attributeOf(node, name);
  return found ? new TextDecoder().decode(found.s.subarray(0, 100)) : usual;
};

/** The sizes that a Reshape makes. */
export const reshapedTo = (network: OnnxReading, node: NodeProto): number[] =>
  listOf(node, 'shape') ?? network.wholeInput(node, 1) ?? [];
/** The axes of a reduction or a Squeeze, in the order of images [N, C, H, W]; undefined if it does not name any. */
export const axesOf = (network: OnnxReading, node: NodeProto): number[] | undefined =>
  (listOf(node, 'axes') ?? network.wholeInput(node, 1))
    ?.map((axis) => (axis < 0 ? axis + 4 : axis))
    .sort((a, b) => a - b);

/** The shortest decimal number that is this float32: 0.1 instead of 0.10000000149. */
export const rounded = (value: number): number => {
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === Math.fround(value)) return short;
  }
  return value;
};
