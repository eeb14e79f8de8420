/** Builds an ONNX graph: nodes, constants and their names. */
import { create } from '@bufbuild/protobuf';
import {
  AttributeProto_AttributeType as Kind,
  AttributeProtoSchema,
  NodeProtoSchema,
  TensorProto_DataType,
  TensorProtoSchema,
  type AttributeProto,
  type NodeProto,
  type TensorProto,
} from 'onnx-buf';
import { Failure } from '../../base/result.ts';
import { elements, type Shape } from '../../base/shape.ts';
import type { AttributeValue, OnnxGraph } from '../../ops/onnx.ts';

/** Nodes and tensors in the making. Values are strings, as in ONNX. */
export class GraphBuilder implements OnnxGraph {
  readonly nodes: NodeProto[] = [];
  readonly tensors: TensorProto[] = [];
  private readonly names = new Set<string>();

  /** @param most nodes that it may have */
  constructor(private readonly most = Infinity) {}

  /** A name that no value has yet. */
  unique(wanted: string): string {
    let name = wanted;
    for (let n = 2; this.names.has(name); n++) name = `${wanted}_${n}`;
    this.names.add(name);
    return name;
  }

  /** A tensor of the file, of float32 or, from whole numbers, int64. @returns its name */
  tensor(wanted: string, shape: Shape, data: Float32Array | readonly number[]): string {
    const name = this.unique(wanted);
    const whole = !(data instanceof Float32Array);
    const bytes = new Uint8Array(elements(shape) * (whole ? 8 : 4));
    const view = new DataView(bytes.buffer);
    data.forEach((value, i) =>
      whole ? view.setBigInt64(8 * i, BigInt(value), true) : view.setFloat32(4 * i, value, true),
    );
    this.tensors.push(
      create(TensorProtoSchema, {
        name,
        dims: shape.map(BigInt),
        dataType: whole ? TensorProto_DataType.INT64 : TensorProto_DataType.FLOAT,
        rawData: bytes,
      }),
    );
    return name;
  }

  /** Whole numbers that a node takes as an input: axes, sizes. */
  readonly list = (owner: string, values: readonly number[]): string =>
    this.tensor(`${owner}/constant`, [values.length], values);

  /**
   * Adds a node.
   * @param output the name it gives its value, which `unique` made
   * @throws Failure `unsupported` if there are too many
   */
  node(
    opType: string,
    input: readonly string[],
    output: string,
    attributes: Readonly<Record<string, AttributeValue>> = {},
  ): string {
    if (this.nodes.length === this.most)
      throw new Failure('unsupported', `it takes more than ${this.most} nodes in ONNX`);
    const own = { name: output, opType, input: [...input], output: [output] };
    const attribute = Object.entries(attributes).map(([name, value]) => attributeOf(name, value));
    this.nodes.push(create(NodeProtoSchema, { ...own, attribute }));
    return output;
  }
}

function attributeOf(name: string, value: AttributeValue): AttributeProto {
  if (typeof value === 'number')
    return create(AttributeProtoSchema, { name, type: Kind.INT, i: BigInt(value) });
  if (typeof value === 'string')
    return create(AttributeProtoSchema, { name, type: Kind.STRING, s: new TextEncoder().encode(value) });
  if ('float' in value) return create(AttributeProtoSchema, { name, type: Kind.FLOAT, f: value.float });
  return create(AttributeProtoSchema, { name, type: Kind.INTS, ints: value.map(BigInt) });
}
