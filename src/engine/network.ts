/**
 * A network: a graph of layers, their shapes and parameters, and the dispatches of its forward and backward pass.
 */
import { assert } from '../base/assert.ts';
import { Failure } from '../base/result.ts';
import { alignUp, elements, MOST_ELEMENTS, showShape, type Shape } from '../base/shape.ts';
import { completeAttributes } from '../ops/attributes.ts';
import { IMAGES, placeOf, sourcesOf, type Layer } from './graph.ts';
import { ALIGNMENT } from './memory.ts';
import type { BackwardNode, BufferSpec, Node, Op, ParameterSpec } from './op.ts';
import { planSum } from './ops/add/sum.ts';
import { ops } from './ops/registry.ts';
import { planMask } from './ops/relu/index.ts';
import type { PlanBuilder, Tensor } from './plan.ts';

export type { Layer } from './graph.ts';

export interface LayerShape {
  layer: Layer;
  op: Op<unknown>;
  /** The layer's, with defaults in place of those that are absent. */
  attributes: Readonly<Record<string, unknown>>;
  /** Indices of its inputs in the list, IMAGES for the images. */
  sources: readonly number[];
  /** The shape of the first of `inputs`, with N. */
  input: Shape;
  inputs: readonly Shape[];
  output: Shape;
  parameters: ParameterSpec[];
  buffers: BufferSpec[];
  /** True if it or a layer before it has parameters, so that its output's gradient is needed. */
  learns: boolean;
}

/** How many shapes an error message lists. */
const SHAPES_AROUND = 3;

/**
 * The shape of every layer's output.
 * @param input [N, C, H, W]
 * @throws Failure('bad-input') naming the layer that does not fit, or Failure('out-of-memory') naming one that is too large
 */
export function inferShapes(layers: readonly Layer[], input: Shape): LayerShape[] {
  const found: LayerShape[] = [];
  const sources = sourcesOf(layers);
  layers.forEach((layer, i) => {
    const inputs = sources[i].map((source) => (source === IMAGES ? input : found[source].output));
    try {
      const op = ops.get(layer.op);
      const attributes = completeAttributes(op, layer.attributes);
      const [least, most] = op.takes ?? [1, 1];
      if (inputs.length < least || inputs.length > most) {
        const wanted = least === most ? `${least}` : `at least ${least}`;
        throw new Failure('bad-input', `${op.name}: expected ${wanted} inputs, found ${inputs.length}`);
      }
      const output = op.outputShape(attributes, inputs[0], ...inputs.slice(1));
      const parameters = op.parameters?.(attributes, inputs[0]) ?? [];
      const buffers = op.buffers?.(attributes, inputs[0]) ?? [];
      for (const { name, shape } of [{ name: 'output', shape: output }, ...parameters]) {
        if (elements(shape) <= MOST_ELEMENTS) continue;
        const message = `${op.name}: its ${name} of shape ${showShape(shape)} has more than ${MOST_ELEMENTS} values`;
        throw new Failure('out-of-memory', message, 'Choose a smaller batch size or model.');
      }
      const learns =
        parameters.length > 0 || sources[i].some((source) => source !== IMAGES && found[source].learns);
      const shapes = { input: inputs[0], inputs, output };
      found.push({ layer, op, attributes, sources: sources[i], ...shapes, parameters, buffers, learns });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const place = `${placeOf(layers, i)}, input ${inputs.map(showShape).join(' and ')}`;
      const around = found.slice(-SHAPES_AROUND).map((one) => `${one.layer.name} ${showShape(one.output)}`);
      const before = around.length > 0 ? `Shapes before it: ${around.join(', ')}.` : '';
      const advice = [error.advice ?? '', before].filter((part) => part !== '').join(' ');
      throw new Failure(error.code, `${place}: ${error.message}`, advice || undefined);
    }
  });
  return found;
}

/** Where a parameter's values lie in the buffer of all parameters. */
interface Entry {
  /** PyTorch's state_dict name: "conv1.weight". */
  name: string;
  layer: string;
  shape: Shape;
  /** In values, not bytes. */
  offset: number;
  length: number;
}

export type ParameterEntry = Entry & Omit<ParameterSpec, 'name'>;
export type BufferEntry = Entry & Omit<BufferSpec, 'name'>;

export interface EntryLayout<E> {
  entries: readonly E[];
  /** Values in the buffer, gaps included. Gaps hold zeros. */
  length: number;
}

/** Gaps between parameters get zero gradients. */
export interface ParameterLayout extends EntryLayout<ParameterEntry> {
  /** Values that are parameters. */
  count: number;
  /** Persistent state besides the parameters, in separate memory: optimisers never see it. */
  buffers: EntryLayout<BufferEntry>;
  /** Of parameters and buffers, in the order of PyTorch's state_dict. */
  names: readonly string[];
}

export function layoutParameters(shapes: readonly LayerShape[]): ParameterLayout {
  const names = shapes.flatMap(({ layer, parameters, buffers }) =>
    [...parameters, ...buffers].map(({ name }) => `${layer.name}.${name}`),
  );
  const parameters = layOut(shapes, (shape) => shape.parameters);
  const buffers = layOut(shapes, (shape) => shape.buffers);
  const count = parameters.entries.reduce((sum, entry) => sum + entry.length, 0);
  return { ...parameters, count, buffers, names };
}

/** In values: a multiple at which bindings may start, also in the copy in 16 bits. */
const PLACES = ALIGNMENT / 2;

function layOut<S extends { name: string; shape: Shape }>(
  shapes: readonly LayerShape[],
  specsOf: (shape: LayerShape) => readonly S[],
): EntryLayout<S & Entry> {
  let length = 0;
  const entries = shapes.flatMap((shape) =>
    specsOf(shape).map((spec) => {
      const layer = shape.layer.name;
      const own = { layer, name: `${layer}.${spec.name}`, offset: length, length: elements(spec.shape) };
      length += alignUp(own.length, PLACES);
      return { ...spec, ...own };
    }),
  );
  return { entries, length };
}

/** Returns a parameter's tensor by its state_dict name. */
export type TensorLookup = (name: string) => Tensor;

/** A layer's output, under all names and shapes that views and fused ReLUs give it. */
interface Value {
  /** A fused ReLU was applied to it: its gradient passes only where it is positive. */
  relu: boolean;
  /** Whether its gradient is needed. */
  learns: boolean;
  /** The number of ops with dispatches that read it. */
  takers: number;
  /** Whether its only consumer has masked its gradient. */
  masked: boolean;
  /** Its consumers' gradients in the backward pass: the last consumer's first. */
  gradients: Tensor[];
}

interface Stage extends Node<unknown> {
  op: Op<unknown>;
  specs: readonly ParameterSpec[];
  sources: readonly Value[];
  value: Value;
  /** The value of `addend`. */
  added: Value | undefined;
  /** Its parameters are not trained. */
  frozen: boolean;
}

/** A network whose forward pass is in a plan. */
export interface PlannedForward {
  logits: Tensor;
  last: Value;
  stages: readonly Stage[];
  /** Each layer's output, in the list's order, after a fused ReLU. */
  outputs: readonly Tensor[];
}

/** Where a pass reads the persistent state, and what the pass is for. */
export interface ForwardOptions {
  parameters: TensorLookup;
  buffers: TensorLookup;
  /** Copies of weights in the images' type and layout, if those are not PyTorch's. */
  copied?: TensorLookup | undefined;
  /** Whether it is part of a training step. */
  training: boolean;
  /** Names of frozen layers: their parameters get no gradients, and in training they behave as in inference. Default: none. */
  freeze?: readonly string[];
  /** Whether ops may apply a following ReLU themselves. Default true; false if each layer's own output is needed. */
  fuse?: boolean;
  /** Whether ops may also compute a following sum themselves. Default false. */
  fuseSums?: boolean;
  /** Called after the dispatches of each layer that has some, with its output after a fused ReLU. */
  onOutput?: (layer: string, output: Tensor) => void;
}

/**
 * Adds the forward pass to `plan`, after fetching the code of ops that is not loaded yet. A ReLU after an op that can apply
 * it itself costs nothing, if no other layer reads that op's output: it is fused into that op, and the consumer masks the
 * gradient that it passes back. So is a sum of two. Layers' outputs and their gradients have the images' type and layout.
 */
export async function buildForward(
  plan: PlanBuilder,
  layers: readonly Layer[],
  images: Tensor,
  {
    parameters,
    buffers,
    copied = parameters,
    training,
    freeze = [],
    fuse = true,
    fuseSums = false,
    onOutput,
  }: ForwardOptions,
): Promise<PlannedForward> {
  const shapes = inferShapes(layers, images.shape);
  await Promise.all(shapes.map(({ op }) => op.fetch?.()));
  const stages: Stage[] = [];
  const start = newValue(false, false);
  const outputs: { value: Value; tensor: Tensor }[] = [];
  /** The layer whose op computes this one too. */
  const fused = new Map<number, number>();
  shapes.forEach(({ layer, op, attributes, sources, output: shape, parameters: specs, buffers: kept }, i) => {
    const taken = sources.map((source) =>
      source === IMAGES ? { value: start, tensor: images } : outputs[source],
    );
    const frozen = isFrozen(freeze, layer.name);
    const passes = op.isView || (op.passesInEvaluation && (frozen || !training));
    const by = passes ? sources[0] : fused.get(i);
    if (by !== undefined) {
      const { value, tensor } = by === IMAGES ? { value: start, tensor: images } : outputs[by];
      outputs.push({ value, tensor: plan.view(tensor, shape) });
      return;
    }
    const sum = fuseSums && op.fusesSum ? sumAfter(shapes, i) : undefined;
    if (sum) fused.set(sum.layer, i);
    const addend = sum && outputs[sum.addend];
    const follower = fuse && op.fusesRelu === true ? onlyTaker(shapes, sum?.layer ?? i) : undefined;
    const relu = follower !== undefined && shapes[follower].op.name === 'relu';
    if (relu) fused.set(follower, i);
    const output = plan.tensorLike(layer.name, images, shape);
    const read = [...taken, ...(addend ? [addend] : [])];
    const learns = (specs.length > 0 && !frozen) || read.some((source) => source.value.learns);
    const value = newValue(relu, learns);
    for (const source of read) source.value.takers++;
    const own = <S extends { name: string }>(parts: readonly S[], lookup: (spec: S) => TensorLookup) =>
      Object.fromEntries(parts.map((spec) => [spec.name, lookup(spec)(`${layer.name}.${spec.name}`)]));
    const stage: Stage = {
      op,
      specs,
      label: layer.name,
      attributes,
      // Of a frozen layer the statistics are fixed, too.
      training: training && !(frozen && kept.length > 0),
      frozen,
      relu,
      addend: addend?.tensor,
      added: addend?.value,
      output,
      value,
      input: taken[0].tensor,
      inputs: taken.map(({ tensor }) => tensor),
      sources: taken.map((source) => source.value),
      parameters: own(specs, ({ narrow }) => (narrow ? copied : parameters)),
      buffers: own(kept, () => buffers),
      saved: {},
    };
    plan.during({ pass: 'forward', layer: layer.name }, () => op.forward(plan, stage));
    stages.push(stage);
    outputs.push({ value, tensor: output });
    onOutput?.(layer.name, output);
  });
  const { tensor: logits, value: last } = outputs[outputs.length - 1];
  return { logits, last, stages, outputs: outputs.map(({ tensor }) => tensor) };
}

/** Whether a layer is among the frozen ones: a name stands for all layers below it, too. */
export const isFrozen = (freeze: readonly string[], layer: string): boolean =>
  freeze.some((name) => layer === name || layer.startsWith(`${name}.`));

const newValue = (relu: boolean, learns: boolean): Value => ({
  relu,
  learns,
  takers: 0,
  masked: false,
  gradients: [],
});

/** The sum of two outputs that is the only layer to read layer `i`'s, if the other one exists by then. */
function sumAfter(shapes: readonly LayerShape[], i: number): { layer: number; addend: number } | undefined {
  const layer = onlyTaker(shapes, i);
  if (layer === undefined || shapes[layer].op.name !== 'add') return undefined;
  const { sources } = shapes[layer];
  const addend = sources.find((source) => source !== i);
  return sources.length === 2 && addend !== undefined && addend >= 0 && addend < i
    ? { layer, addend }
    : undefined;
}

/** The only layer that reads layer `i`'s output, if it has no other input. */
export function onlyTaker(shapes: readonly LayerShape[], i: number): number | undefined {
  const takers = shapes.flatMap(({ sources }, j) => sources.filter((source) => source === i).map(() => j));
  return takers.length === 1 ? takers[0] : undefined;
}

/**
 * Adds the backward pass: from the gradient of the logits to the gradients of all parameters.
 * @param gradients where the parameters' gradients go; absent, only those of layers' outputs are computed
 * @returns the gradient with respect to each layer's output, by the layer's name, where there is one
 */
export function buildBackward(
  plan: PlanBuilder,
  { stages, logits, last }: PlannedForward,
  logitsGradient: Tensor,
  gradients?: TensorLookup,
): Map<string, Tensor> {
  const ofOutputs = new Map<string, Tensor>();
  assert(
    elements(logits.shape) === elements(logitsGradient.shape),
    'logits and their gradient differ in size',
  );
  if (last.relu)
    throw new Failure(
      'bad-input',
      'the last layer is a ReLU; a classifier must output raw logits, one per class',
    );
  last.gradients.push(logitsGradient);
  for (const stage of stages.toReversed()) {
    if (!stage.value.learns) continue;
    const part = { pass: 'backward', layer: stage.label } as const;
    const whole = plan.during(part, () => gradientOf(plan, stage));
    const outputGradient = plan.view(whole, stage.output.shape);
    ofOutputs.set(stage.label, outputGradient);
    const wanted = stage.sources.map(({ learns }) => learns);
    if (stage.op.passesGradient) {
      stage.sources.forEach((source, i) => {
        if (wanted[i]) source.gradients.push(outputGradient);
      });
      continue;
    }
    if (stage.added?.learns) stage.added.gradients.push(outputGradient);
    const own =
      gradients && !stage.frozen
        ? stage.specs.map((spec) => [spec.name, gradients(`${stage.label}.${spec.name}`)] as const)
        : [];
    if (own.length === 0 && !wanted.includes(true)) continue;
    const [first] = stage.sources;
    const alone = stage.sources.length === 1;
    // The last of two layers to contribute to their input's gradient can add what the other one did.
    const { gradients: there } = first;
    const adds = alone && first.learns && stage.op.addsGradient && there.length === 1 && first.takers === 2;
    const gradientAddend = adds ? there[0] : undefined;
    // With fixed statistics, batch norm applies no mask.
    const masks = stage.training || Object.keys(stage.buffers).length === 0;
    const maskInput = alone && masks && first.relu && (first.takers === 1 || adds === true);
    first.masked ||= maskInput;
    const inputGradients = stage.inputs.map((input, i) => {
      const label = i === 0 ? `${stage.label} dx` : `${stage.label} dx${i}`;
      return wanted[i] ? plan.tensorLike(label, input) : undefined;
    });
    const node: BackwardNode<unknown> = {
      ...stage,
      outputGradient,
      inputGradient: inputGradients[0],
      inputGradients,
      maskInput,
      gradientAddend,
      gradients: Object.fromEntries(own),
    };
    plan.during(part, () => stage.op.backward(plan, node));
    stage.sources.forEach((source, i) => {
      const gradient = inputGradients[i];
      if (gradient) source.gradients = gradientAddend ? [gradient] : [...source.gradients, gradient];
    });
  }
  return ofOutputs;
}

/** The gradient of the output of a stage: the sum of its consumers' gradients, masked if no consumer has done that. */
function gradientOf(plan: PlanBuilder, { label, value, output }: Stage): Tensor {
  const { gradients } = value;
  const mask = value.relu && !value.masked ? output : undefined;
  if (gradients.length === 1 && !mask) return gradients[0];
  const total = plan.tensorLike(`${label} dy`, output);
  if (gradients.length > 1) planSum(plan, `${label} sum of gradients`, gradients, total, { mask });
  else if (mask) planMask(plan, `${label} mask`, mask, gradients[0], total);
  return total;
}
