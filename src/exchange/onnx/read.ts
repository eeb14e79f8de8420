/** Reads an ONNX file as a trained network, where it is made of layers that wgrad has. */
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  GraphProtoSchema,
  ModelProtoSchema,
  type TensorProto_DataType as Type,
  type GraphProto,
  type ModelProto,
  type ValueInfoProto,
} from 'onnx-buf';
import { Failure } from '../../base/result.ts';
import { isImageShape, MAX_IMAGE, MAX_SIDE } from '../../base/shape.ts';
import { readWeightsMetadata } from '../../models/file/weights.ts';
import { Budget } from '../budget.ts';
import type { Imported } from '../imported.ts';
import { withExternalData } from './external.ts';
import { imageOfPixels } from '../pixels.ts';
import { OnnxNetwork } from './network.ts';
import { computed } from './nodes/constants.ts';
import { readNode } from './nodes/index.ts';
import { isReal } from './tensors.ts';
import { countMemory } from './wire.ts';
import { graphOf } from './write.ts';

/** The format's own limit: protobuf counts bytes by 31 bits. */
const MAX_BYTES = 2 ** 31;

/** From which on operators are defined as here: sizes of Reshape and others are inputs. */
const OLDEST_OPSET = 7;

/** As `fromOnnx`, of a model whose weights may be in another file of the same folder. */
export async function fromOnnxFiles(
  file: string,
  bytes: Uint8Array<ArrayBuffer>,
  beside: (name: string) => Promise<Uint8Array<ArrayBuffer> | undefined>,
): Promise<Imported> {
  const proto = decode(file, bytes);
  return networkIn(file, proto, await withExternalData(file, proto, bytes.length, beside));
}

/**
 * The network in an ONNX file of images [N, C, H, W] to one value per class. A file that wgrad wrote gives the model
 * that it was written from; of others, the layers follow from the nodes.
 * @param file its name, for messages
 * @throws Failure `bad-file` if it is damaged, `unsupported` with the node that wgrad has no layer for
 */
export const fromOnnx = (file: string, bytes: Uint8Array<ArrayBuffer>): Imported =>
  networkIn(file, decode(file, bytes), new Budget(file, bytes.length));

function networkIn(file: string, proto: ModelProto, budget: Budget): Imported {
  const { graph } = proto;
  if (!graph || graph.node.length === 0)
    throw new Failure('bad-file', `${file}: expected an ONNX graph, found none`);
  try {
    return ownFile(file, proto, graph, budget) ?? foreignFile(file, proto, graph, budget);
  } catch (error) {
    if (!(error instanceof Failure) || error.message.startsWith(file)) throw error;
    // Layers that do not fit together name only themselves.
    throw new Failure(error.code, `${file}: ${error.message}`, error.advice);
  }
}

function decode(file: string, bytes: Uint8Array<ArrayBuffer>): ModelProto {
  if (bytes.length > MAX_BYTES)
    throw new Failure('bad-file', `${file}: expected at most ${MAX_BYTES} bytes, found ${bytes.length}`);
  try {
    const budget = new Budget(file, bytes.length);
    countMemory(ModelProtoSchema, bytes, (part) => budget.take(part, 'its nodes and their attributes'));
    return fromBinary(ModelProtoSchema, bytes);
  } catch (error) {
    if (error instanceof Failure) throw error;
    // Whatever the library throws on a damaged file, also where nesting fills the stack.
    const reason = error instanceof Error ? error.message.slice(0, 200) : '';
    throw new Failure('bad-file', `${file}: not an ONNX file, or a damaged one: ${reason}`);
  }
}

/** What the file was written from, if its graph is what wgrad writes from that. */
function ownFile(
  file: string,
  { metadataProps }: ModelProto,
  graph: GraphProto,
  budget: Budget,
): Imported | undefined {
  const { initializer } = graph;
  if (!metadataProps.some(({ key }) => key === 'model')) return undefined;
  try {
    const { model, ...info } = readWeightsMetadata(
      file,
      new Map(metadataProps.map(({ key, value }) => [key, value])),
    );
    if (!model) return undefined;
    const network = new OnnxNetwork(file, model.input, initializer, budget);
    const names = new Set(model.layers.map(({ name }) => name));
    const parameters = new Map(
      initializer
        .filter(({ name }) => names.has(name.slice(0, name.lastIndexOf('.'))))
        .map(({ name }) => [name, network.constant(name)]),
    );
    const trained = { model, parameters, info };
    const found = toBinary(GraphProtoSchema, graph);
    const isSame = (normalise: boolean) => {
      // With those that normalise, where the file has none.
      const options = { normalise, mostNodes: graph.node.length + 2 };
      const written = toBinary(GraphProtoSchema, graphOf(trained, options));
      return written.length === found.length && written.every((byte, i) => byte === found[i]);
    };
    return isSame(true) || isSame(false) ? { ...trained, notes: [] } : undefined;
  } catch (error) {
    // Edited since: read as any other file, which says what is wrong.
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/** The operators of ONNX itself have no domain, or this name. */
const isOwnDomain = (domain: string): boolean => domain === '' || domain === 'ai.onnx';

function foreignFile(
  file: string,
  { opsetImport, metadataProps }: ModelProto,
  graph: GraphProto,
  budget: Budget,
): Imported {
  const opset = Number(opsetImport.find(({ domain }) => isOwnDomain(domain))?.version ?? 0);
  if (opset < OLDEST_OPSET) {
    throw new Failure(
      'unsupported',
      `${file}: expected operators of version ${OLDEST_OPSET} or later, found ${opset}`,
      'Convert it with onnx.version_converter.',
    );
  }
  const images = imagesOf(file, graph);
  const network = new OnnxNetwork(file, images.shape, graph.initializer, budget, graph.node, images.pixels);
  // Whole numbers are the bytes of pixels, which are numbers in [0, 1] here.
  const channels = Array.from({ length: images.shape[0] });
  network.define(
    images.name,
    images.whole
      ? { kind: 'normalised', mean: channels.map(() => 0), std: channels.map(() => 1 / 255) }
      : { kind: 'images' },
  );
  for (const node of graph.node) {
    const isOnnx = isOwnDomain(node.domain);
    if (!isOnnx || !(computed(network, node) || readNode(network, node)))
      throw network.unsupported(node, 'wgrad has no layer for it');
  }
  if (graph.output.length !== 1) {
    throw new Failure('unsupported', `${file}: expected one output, found ${graph.output.length}`);
  }
  const title = graph.name.slice(0, 100) || file;
  return network.finish(graph.output[0].name, title, knownMetadata(file, metadataProps));
}

/** Metadata that wgrad wrote; other programs use the same keys for other things. */
function knownMetadata(file: string, props: ModelProto['metadataProps']) {
  try {
    const known = props.filter(({ key }) => key === 'classes' || key === 'dataset');
    return readWeightsMetadata(file, new Map(known.map(({ key, value }) => [key, value])));
  } catch (error) {
    if (error instanceof Failure) return {};
    throw error;
  }
}

/** The input that is not a constant: [N, C, H, W] with a fixed size of images, or the pixels of some. */
function imagesOf(
  file: string,
  { input, initializer }: GraphProto,
): { name: string; shape: readonly number[]; pixels?: readonly number[]; whole: boolean } {
  const constants = new Set(initializer.map(({ name }) => name));
  const inputs = input.filter(({ name }) => !constants.has(name));
  if (inputs.length !== 1)
    throw new Failure('unsupported', `${file}: expected one input, the images, found ${inputs.length}`);
  const [images] = inputs;
  const shape = sizesOf(images);
  const [, ...sizes] = shape;
  const image = imageOfPixels(sizes);
  const own = image ?? sizes;
  if (own.length !== 3 || own.some((size) => !Number.isSafeInteger(size) || size < 1)) {
    const found = shape.map((size) => (size > 0 ? size : '?')).join(', ');
    throw new Failure(
      'unsupported',
      `${file}, input "${images.name.slice(0, 100)}": expected images [N, C, H, W] with C, H and W given, or as many values as a square image has, found [${found}]`,
      'Export it with images of a fixed height and width.',
    );
  }
  if (!isImageShape(own)) {
    const most = `sizes of at most ${MAX_SIDE}, and ${MAX_IMAGE} values`;
    throw new Failure(
      'bad-file',
      `${file}, input "${images.name.slice(0, 100)}": expected images with ${most}, found [${own.join(', ')}]`,
    );
  }
  const type = images.type?.value;
  return {
    name: images.name,
    shape: own,
    ...(image ? { pixels: sizes } : {}),
    whole: type?.case === 'tensorType' && !isReal(type.value.elemType as Type),
  };
}

/** 0 where the size is not given. */
function sizesOf({ type }: ValueInfoProto): number[] {
  if (type?.value.case !== 'tensorType') return [];
  const dims = type.value.value.shape?.dim ?? [];
  return dims.map(({ value }) => (value.case === 'dimValue' ? Number(value.value) : 0));
}
