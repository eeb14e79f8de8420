/** A trained network as an ONNX file. */
import { create, toBinary } from '@bufbuild/protobuf';
import {
  GraphProtoSchema,
  ModelProtoSchema,
  OperatorSetIdProtoSchema,
  StringStringEntryProtoSchema,
  TensorProto_DataType,
  TensorShapeProto_DimensionSchema,
  TensorShapeProtoSchema,
  TypeProto_TensorSchema,
  TypeProtoSchema,
  ValueInfoProtoSchema,
  type GraphProto,
  type ValueInfoProto,
} from 'onnx-buf';
import type { Shape } from '../../base/shape.ts';
import { sourceLayers } from '../../models/code/source.ts';
import { requireFit, weightsMetadata, type Trained } from '../../models/file/weights.ts';
import { FORMATS } from '../../ops/writers.ts';
import type { ExportContext } from '../exporters.ts';
import { GraphBuilder } from './build.ts';

/** Has all that is used, Gelu from 20 on; newer ones only add types that most programs do not have yet. */
const OPSET = 21;
const IR_VERSION = 10;

type Options = Pick<ExportContext, 'normalise'> & {
  /** Of the graph; an op may need one for each row of its output. */
  mostNodes?: number;
};

/**
 * An ONNX file for inference: images [batch, C, H, W] to logits [batch, classes], with the weights inside. Where the
 * normalisation is known, it is in the graph unless `normalise` is false, and the input is pixels in [0, 1]. Tensors have PyTorch's state_dict
 * names, values those of their layers; the metadata is that of a file of weights.
 * @throws Failure `bad-file` if the weights do not fit the model, `unsupported` for an op that ONNX cannot express
 */
export function toOnnx(trained: Trained, options: Options = {}): Uint8Array<ArrayBuffer> {
  const { model, info } = trained;
  const proto = create(ModelProtoSchema, {
    irVersion: BigInt(IR_VERSION),
    opsetImport: [create(OperatorSetIdProtoSchema, { version: BigInt(OPSET) })],
    producerName: 'wgrad',
    docString: model.description,
    graph: graphOf(trained, options),
    metadataProps: [...weightsMetadata({ ...info, model })].map(([key, value]) =>
      create(StringStringEntryProtoSchema, { key, value }),
    ),
  });
  return toBinary(ModelProtoSchema, proto);
}

/** The file's graph. @throws Failure as `toOnnx` */
export function graphOf(
  { model, parameters, info }: Trained,
  { normalise = true, mostNodes }: Options = {},
): GraphProto {
  requireFit('the weights', model, parameters);
  const graph = new GraphBuilder(mostNodes);
  const { input, classes, title } = model;
  const images = graph.unique('images');
  const logits = graph.unique('logits');
  let before = images;
  const normalisation = normalise ? info.normalisation : undefined;
  if (normalisation) {
    const { mean, std } = normalisation;
    const shape = [1, mean.length, 1, 1];
    const centred = graph.node(
      'Sub',
      [images, graph.tensor('mean', shape, Float32Array.from(mean))],
      graph.unique('centred'),
    );
    before = graph.node(
      'Div',
      [centred, graph.tensor('std', shape, Float32Array.from(std))],
      graph.unique('normalised'),
    );
  }
  const layers = sourceLayers(model);
  const outputs: string[] = [];
  for (const [i, layer] of layers.entries()) {
    const output = i === layers.length - 1 ? logits : graph.unique(layer.name);
    FORMATS.get(layer.op).onnx.write({
      graph,
      layer,
      inputs: layer.sources.map((source) => (source < 0 ? before : outputs[source])),
      output,
      parameter: (name) => {
        const found = parameters.get(`${layer.name}.${name}`);
        return found && graph.tensor(`${layer.name}.${name}`, found.shape, found.data);
      },
    });
    outputs.push(output);
  }

  const pixels = normalisation ? 'pixels in [0, 1]' : 'images, normalised as in training';
  return create(GraphProtoSchema, {
    name: title,
    node: graph.nodes,
    initializer: graph.tensors,
    input: [valueInfo(images, input, pixels)],
    output: [valueInfo(logits, [classes], 'one logit per class')],
  });
}

/** @param shape without N, which may differ from call to call */
function valueInfo(name: string, shape: Shape, docString: string): ValueInfoProto {
  const dim = [
    create(TensorShapeProto_DimensionSchema, { value: { case: 'dimParam', value: 'batch' } }),
    ...shape.map((size) =>
      create(TensorShapeProto_DimensionSchema, { value: { case: 'dimValue', value: BigInt(size) } }),
    ),
  ];
  const tensor = create(TypeProto_TensorSchema, {
    elemType: TensorProto_DataType.FLOAT,
    shape: create(TensorShapeProtoSchema, { dim }),
  });
  const type = create(TypeProtoSchema, { value: { case: 'tensorType', value: tensor } });
  return create(ValueInfoProtoSchema, { name, docString, type });
}
