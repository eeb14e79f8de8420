/** The network that grows while the nodes of an ONNX graph are read. */
import type { NodeProto, TensorProto } from 'onnx-buf';
import { Failure } from '../../base/result.ts';
import { elements, type Shape } from '../../base/shape.ts';
import type { Normalisation } from '../../engine/samples.ts';
import type { WeightsInfo } from '../../models/file/weights.ts';
import type { BegunLayer, Constant, OnnxReading } from '../../ops/onnx.ts';
import type { Budget } from '../budget.ts';
import { Draft, IMAGES } from '../draft.ts';
import type { Imported } from '../imported.ts';
import { readTensor } from './tensors.ts';

/** What a value of the graph is. Some nodes are parts of a layer; their values wait for the rest. */
export type OnnxValue =
  | { kind: 'images' }
  /** (image - mean) / std, by channel. */
  | ({ kind: 'normalised' } & Normalisation)
  | { kind: 'layer'; layer: string }
  | { kind: 'constant'; constant: Constant }
  /** sigmoid(x), which x is multiplied by next: SiLU. */
  | { kind: 'gate'; of: string; op: string }
  /** erf(x / sqrt 2), that plus 1, and x times that: parts of GELU. */
  | { kind: 'erf' | 'erf + 1' | 'x (erf + 1)'; of: string }
  /** softplus(beta x). */
  | { kind: 'softplus'; of: string; beta: number }
  | BegunLayer;

/** For messages: what a value is that is no layer's output. */
const WORDS: Readonly<Record<Exclude<OnnxValue['kind'], 'begun'>, string>> = {
  images: 'the images',
  normalised: 'the images',
  layer: 'a layer',
  constant: 'a constant',
  gate: 'a gate',
  erf: 'the error function',
  'erf + 1': 'the error function',
  'x (erf + 1)': 'the error function',
  softplus: 'a softplus',
};

const wordsOf = (value: OnnxValue): string => (value.kind === 'begun' ? value.words : WORDS[value.kind]);

const SHARED =
  'Weights that several nodes share were copied: each layer here has its own, and training changes them separately.';

export class OnnxNetwork implements OnnxReading {
  private readonly draft: Draft;
  private readonly values = new Map<string, OnnxValue>();
  private readonly tensors: ReadonlyMap<string, TensorProto>;
  private readonly read = new Map<string, Constant>();
  private readonly taken = new Map<string, NodeProto[]>();
  private readonly notes: string[] = [];
  /** Names of weights that a layer has. */
  private readonly used = new Set<string>();
  private normalisation: Normalisation | undefined;
  private raw = false;
  /** The layer that makes a vector of the images. */
  private flat: string | undefined;

  /**
   * @param images [C, H, W]
   * @param pixels their sizes in the file, if these are others: [784]
   */
  constructor(
    private readonly file: string,
    images: Shape,
    tensors: readonly TensorProto[],
    budget: Budget,
    nodes: readonly NodeProto[] = [],
    private readonly pixels?: Shape,
  ) {
    this.draft = new Draft(file, images, budget);
    this.tensors = new Map(tensors.map((tensor) => [tensor.name, tensor]));
    for (const node of nodes) {
      for (const name of new Set(node.input)) {
        const takers = this.taken.get(name);
        if (takers) takers.push(node);
        else this.taken.set(name, [node]);
      }
    }
  }

  unsupported(node: NodeProto, why: string, advice?: string): Failure {
    return new Failure('unsupported', `${this.file}, ${placeOf(node)}: ${why}`, advice);
  }

  bad(node: NodeProto, why: string): Failure {
    return new Failure('bad-file', `${this.file}, ${placeOf(node)}: ${why}`);
  }

  note(text: string): void {
    this.notes.push(text);
  }

  /** The nodes that read a value. */
  takersOf = (name: string): readonly NodeProto[] => this.taken.get(name) ?? [];

  /** @throws Failure if the file has no such tensor */
  constant(name: string): Constant {
    const found = this.read.get(name);
    if (found) return found;
    const tensor = this.tensors.get(name);
    if (!tensor) throw new Failure('bad-file', `${this.file}: there is no tensor "${name.slice(0, 100)}"`);
    const constant = readTensor(this.file, name, tensor);
    this.read.set(name, constant);
    return constant;
  }

  /** A tensor that a node brings. */
  tensor = (name: string, tensor: TensorProto): Constant => readTensor(this.file, name, tensor);

  define(name: string, value: OnnxValue): void {
    this.values.set(name, value);
  }

  passOn(node: NodeProto): void {
    this.define(node.output[0], this.input(node));
  }

  /** @param i which input of the node. @throws Failure if it comes from nowhere */
  input(node: NodeProto, i = 0): OnnxValue {
    const name = node.input[i];
    const value = this.values.get(name);
    if (value) return value;
    if (name !== undefined && this.tensors.has(name))
      return { kind: 'constant', constant: this.constant(name) };
    throw this.bad(node, `input ${i}, "${(name ?? '').slice(0, 100)}", is the output of no node before it`);
  }

  /** A constant input; undefined if the node does not have it. @throws Failure if it is computed */
  constantInput(node: NodeProto, i: number): Constant | undefined {
    if (!node.input[i]) return undefined;
    const value = this.input(node, i);
    if (value.kind !== 'constant')
      throw this.unsupported(node, `expected input ${i} to be a constant, found ${wordsOf(value)}`);
    return value.constant;
  }

  numberInput(node: NodeProto, i: number): number | undefined {
    return this.constantInput(node, i)?.data[0];
  }

  isConstant = (node: NodeProto, i: number): boolean => this.input(node, i).kind === 'constant';

  begin(node: NodeProto, begun: Omit<BegunLayer, 'kind'>): void {
    this.define(node.output[0], { kind: 'begun', ...begun });
  }

  begunAt(node: NodeProto, op: string): BegunLayer | undefined {
    const value = this.input(node);
    return value.kind === 'begun' && value.op === op ? value : undefined;
  }

  /** Whole numbers of a constant input. */
  wholeInput(node: NodeProto, i: number): number[] | undefined {
    const constant = this.constantInput(node, i);
    return constant && [...constant.data];
  }

  /** The layer whose output an input is. @throws Failure if it is something else */
  source(node: NodeProto, i = 0): string {
    const value = this.input(node, i);
    if (value.kind === 'layer') return value.layer;
    if (value.kind === 'begun' && value.whole) return this.addWhole(node.input[i], value);
    if (value.kind === 'images' || value.kind === 'normalised') {
      const images = this.imageSource(node, value);
      if (!this.pixels) return images;
      this.flat ??= this.draft.add('flatten', 'flatten', [images]);
      return this.flat;
    }
    throw this.unsupported(node, `its input is ${wordsOf(value)}, for which wgrad has no layer`);
  }

  /** Whether a node reads images whose pixels are a vector or rows in the file. */
  readsPixels(node: NodeProto): boolean {
    const { kind } = this.input(node);
    return this.pixels !== undefined && (kind === 'images' || kind === 'normalised');
  }

  /** The images, as they enter the network by this node. */
  imageSource(node: NodeProto, value = this.input(node)): string {
    this.takeImages(node, value.kind === 'normalised' ? value : undefined);
    return IMAGES;
  }

  /** The sizes of a node's input, N of images being NaN. */
  sizesOf(node: NodeProto): number[] {
    const value = this.input(node);
    if (value.kind === 'constant') return [...value.constant.shape];
    const isImages = value.kind === 'images' || value.kind === 'normalised';
    return [NaN, ...(isImages ? (this.pixels ?? this.shapeOf(IMAGES)) : this.shapeOf(this.source(node)))];
  }

  /** Images must enter the network in one way. */
  private takeImages(node: NodeProto, given: Normalisation | undefined): void {
    // A deviation of many units is one of pixels of 0 to 255.
    const bytes = given?.std.every((s) => s > 10) ?? false;
    const part = (values: readonly number[]) => values.map((value) => value / 255);
    const normalisation = given && bytes ? { mean: part(given.mean), std: part(given.std) } : given;
    const before = this.normalisation;
    if (bytes && !before) this.note('Its images have pixels of 0 to 255; here they are in [0, 1].');
    const differs = this.raw
      ? normalisation !== undefined
      : before !== undefined && (!normalisation || !same(before, normalisation));
    if (differs) throw this.unsupported(node, 'the images enter the network normalised in two ways');
    if (normalisation) this.normalisation = normalisation;
    else this.raw = true;
  }

  /**
   * Adds a layer, whose output is the node's.
   * @param weights by the names that the op gives them; the layer is named as in "conv1.weight", if they are
   */
  add(
    node: NodeProto,
    op: string,
    inputs: readonly string[],
    attributes: Readonly<Record<string, unknown>> = {},
    weights: Readonly<Record<string, Constant | undefined>> = {},
  ): void {
    const name = this.draft.add(this.nameFor(node, op, weights), op, inputs, attributes, weights);
    const { weight } = weights;
    if (weight && weight.shape.length > 1) {
      if (this.used.has(weight.name) && !this.notes.includes(SHARED)) this.note(SHARED);
      this.used.add(weight.name);
    }
    this.define(node.output[0], { kind: 'layer', layer: name });
  }

  /** Adds a layer without parameters that is only part of what a node does. @returns its name */
  addLayer = (
    node: NodeProto,
    op: string,
    inputs: readonly string[],
    attributes: Readonly<Record<string, unknown>> = {},
  ): string => this.draft.add(this.nameFor(node, op), op, inputs, attributes);

  /** Adds a layer that no other one includes. @returns its name */
  private addWhole(name: string, { op, of, attributes }: BegunLayer): string {
    const layer = this.draft.add(name, op, [of], attributes);
    this.define(name, { kind: 'layer', layer });
    return layer;
  }

  /** Gives the layer a bias that a node of its own adds, if no other takes the layer's output. @returns whether it could */
  addBias(layer: string, node: NodeProto, bias: Constant): boolean {
    const { layers, parameters } = this.draft;
    const index = layers.findIndex(({ name }) => name === layer);
    const found = layers[index];
    const weight = parameters.get(`${layer}.weight`);
    const before = isNorm(found) ? parameters.get(`${layer}.bias`) : undefined;
    if (
      (found?.attributes?.['bias'] !== false && !before) ||
      !weight ||
      !this.isOnlyTaker(node, layer) ||
      !isByChannel(bias.shape, weight.shape[0], this.shapeOf(layer))
    )
      return false;
    const { bias: _, ...attributes } = found.attributes ?? {};
    layers[index] = { ...found, attributes };
    const data = bias.data.map((value, i) => value + (before?.data[i] ?? 0));
    parameters.set(`${layer}.bias`, { data, shape: [weight.shape[0]] });
    this.define(node.output[0], { kind: 'layer', layer });
    return true;
  }

  /** Gives a normalisation that has none the weight that a node of its own multiplies by. @returns whether it could */
  addWeight(layer: string, node: NodeProto, weight: Constant): boolean {
    const { layers, parameters } = this.draft;
    const index = layers.findIndex(({ name }) => name === layer);
    const found = layers[index];
    const shape = this.shapeOf(layer);
    const [C] = shape;
    if (
      !isNorm(found) ||
      parameters.has(`${layer}.weight`) ||
      !this.isOnlyTaker(node, layer) ||
      !isByChannel(weight.shape, C, shape)
    )
      return false;
    layers[index] = { ...found, attributes: { ...found.attributes, affine: true } };
    parameters.set(`${layer}.weight`, { data: weight.data, shape: [C] });
    parameters.set(`${layer}.bias`, { data: new Float32Array(C), shape: [C] });
    this.define(node.output[0], { kind: 'layer', layer });
    return true;
  }

  /** Whether a node alone takes a layer's output, under whatever names others pass it on. */
  private isOnlyTaker(node: NodeProto, layer: string): boolean {
    const isOutput = (name: string) => {
      const value = this.values.get(name);
      return value?.kind === 'layer' && value.layer === layer;
    };
    const names = [...this.values.keys()].filter(isOutput);
    const takers = names.flatMap(this.takersOf);
    return takers.every((taker) => taker === node || taker.output.some(isOutput));
  }

  /** [C, H, W] or [C] of a layer's output, or of the images. @throws Failure if shapes do not fit so far */
  shapeOf = (layer: string): Shape => this.draft.shapeOf(layer);

  /**
   * @param output the graph's
   * @param info what the file says besides
   * @throws Failure if the output is not the last layer's, or layers and weights do not fit one another
   */
  finish(output: string, title: string, info: WeightsInfo): Imported {
    const found = this.values.get(output);
    if (found?.kind === 'begun' && found.whole) this.addWhole(output, found);
    const last = this.draft.layers.at(-1);
    const value = this.values.get(output);
    if (!last || value?.kind !== 'layer' || value.layer !== last.name) {
      const what = value ? wordsOf(value) : 'no node’s';
      throw new Failure(
        'unsupported',
        `${this.file}: expected output "${output.slice(0, 100)}" to be the last layer’s, found ${what}`,
      );
    }
    const shape = this.draft.shapeOf(last.name);
    if (shape.length === 3 && shape[1] === 1 && shape[2] === 1)
      this.draft.add('flatten', 'flatten', [last.name]);
    const { normalisation } = this;
    return this.draft.finish(title, { ...info, ...(normalisation ? { normalisation } : {}) }, this.notes);
  }

  /** "layer1.0.conv1" from the weight's name as PyTorch exports it; else the node's name, else the op's. */
  private nameFor(
    node: NodeProto,
    op: string,
    { weight }: Readonly<Record<string, Constant | undefined>> = {},
  ): string {
    const ofWeight = /^([\w.-]+)\.weight$/.exec(weight?.name ?? '')?.[1];
    return ofWeight ?? (node.name || node.output[0] || op);
  }
}

/** 'node "conv1" (Conv)' */
const placeOf = ({ name, opType, output }: NodeProto): string =>
  `node "${(name || output[0] || '').slice(0, 100)}" (${opType.slice(0, 40)})`;

/** Whether a tensor that is broadcast to [N, ...output] has one value per channel, and not one per row or column. */
const isByChannel = (shape: Shape, channels: number, output: Shape): boolean =>
  elements(shape) === channels &&
  shape.length <= 1 + output.length &&
  (channels === 1 || shape.at(-output.length) === channels);

const isNorm = (layer: { op: string } | undefined): boolean =>
  layer?.op === 'group_norm' || layer?.op === 'instance_norm';

const same = (a: Normalisation, b: Normalisation): boolean =>
  a.mean.join() === b.mean.join() && a.std.join() === b.std.join();
