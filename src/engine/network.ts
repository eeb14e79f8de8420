/**
 * A network: layers in a row, their shapes and parameters, and the dispatches of its forward and backward pass.
 */
import { assert } from '../base/assert.ts';
import { Failure } from '../base/result.ts';
import { alignUp, elements, showShape, type Shape } from '../base/shape.ts';
import { ALIGNMENT } from './memory.ts';
import type { BackwardNode, Node, Op, ParameterSpec } from './op.ts';
import { ops } from './ops/registry.ts';
import type { PlanBuilder, Tensor } from './plan.ts';

/** A layer as data: what a model file lists. */
export interface Layer {
  /** PyTorch's name of the module; its parameters are called `${name}.weight` and so on. */
  readonly name: string;
  /** Name of an op. */
  readonly op: string;
  /** The op's attributes, under PyTorch's names in camel case. */
  readonly attributes?: Readonly<Record<string, unknown>>;
}

export interface LayerShape {
  layer: Layer;
  op: Op<unknown>;
  /** With N. */
  input: Shape;
  output: Shape;
  parameters: ParameterSpec[];
}

/**
 * The shapes all through the network.
 * @param input [N, C, H, W]
 * @throws Failure('bad-input') naming the layer that does not fit
 */
export function inferShapes(layers: readonly Layer[], input: Shape): LayerShape[] {
  const names = new Set<string>();
  let shape = input;
  return layers.map((layer, i) => {
    const place = `layers[${i}] "${layer.name}"`;
    if (names.has(layer.name))
      throw new Failure('bad-input', `${place}: there is a layer of this name before it`);
    names.add(layer.name);
    const attributes = layer.attributes ?? {};
    try {
      const op = ops.get(layer.op);
      const output = op.outputShape(attributes, shape);
      const parameters = op.parameters?.(attributes, shape) ?? [];
      const found = { layer, op, input: shape, output, parameters };
      shape = output;
      return found;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      throw new Failure(error.code, `${place}, input ${showShape(shape)}: ${error.message}`, error.advice);
    }
  });
}

/** Where a parameter lies in the one buffer that holds them all. */
export interface ParameterEntry extends Omit<ParameterSpec, 'name'> {
  /** PyTorch's state_dict name: "conv1.weight". */
  name: string;
  layer: string;
  /** In numbers, not bytes. */
  offset: number;
  length: number;
}

export interface ParameterLayout {
  entries: readonly ParameterEntry[];
  /** Numbers in the buffer, gaps included. Gaps hold zeros and get zero gradients. */
  length: number;
  /** Numbers that are parameters. */
  count: number;
}

export function layoutParameters(shapes: readonly LayerShape[]): ParameterLayout {
  let offset = 0;
  const entries = shapes.flatMap(({ layer, parameters }) =>
    parameters.map((spec): ParameterEntry => {
      const entry = {
        ...spec,
        name: `${layer.name}.${spec.name}`,
        layer: layer.name,
        offset,
        length: elements(spec.shape),
      };
      offset += alignUp(entry.length, ALIGNMENT / 4);
      return entry;
    }),
  );
  return { entries, length: offset, count: entries.reduce((sum, entry) => sum + entry.length, 0) };
}

/** Answers a parameter's tensor by its state_dict name. */
export type TensorLookup = (name: string) => Tensor;

interface Stage extends Node<unknown> {
  op: Op<unknown>;
  specs: readonly ParameterSpec[];
}

/** A network whose forward pass is in a plan. */
export interface ForwardPass {
  logits: Tensor;
  stages: readonly Stage[];
}

/**
 * Adds the forward pass to `plan`. A ReLU behind an op that can apply it itself costs nothing: it becomes part of that
 * op, and the op behind it masks the gradient that it passes back.
 */
export function buildForward(
  plan: PlanBuilder,
  layers: readonly Layer[],
  images: Tensor,
  parameters: TensorLookup,
): ForwardPass {
  const shapes = inferShapes(layers, images.shape);
  const stages: Stage[] = [];
  let input = images;
  let maskInput = false;
  for (let i = 0; i < shapes.length; i++) {
    const { layer, op, output: shape, parameters: specs } = shapes[i];
    const attributes = layer.attributes ?? {};
    if (op.isView) {
      input = plan.view(input, shape);
      continue;
    }
    const relu = op.fusesRelu === true && shapes[i + 1]?.op.name === 'relu';
    const output = plan.tensor(layer.name, shape);
    const own = Object.fromEntries(
      specs.map((spec) => [spec.name, parameters(`${layer.name}.${spec.name}`)]),
    );
    const stage: Stage = {
      op,
      specs,
      label: layer.name,
      attributes,
      input,
      output,
      parameters: own,
      relu,
      maskInput,
      saved: {},
    };
    op.forward(plan, stage);
    stages.push(stage);
    input = output;
    maskInput = relu;
    if (relu) i++;
  }
  return { logits: input, stages };
}

/** Adds the backward pass: from the gradient of the logits to the gradients of all parameters. */
export function buildBackward(
  plan: PlanBuilder,
  { stages, logits }: ForwardPass,
  logitsGradient: Tensor,
  gradients: TensorLookup,
): void {
  assert(
    elements(logits.shape) === elements(logitsGradient.shape),
    'logits and their gradient differ in size',
  );
  const last = stages[stages.length - 1];
  if (last.relu)
    throw new Failure(
      'bad-input',
      'the last layer is a ReLU; a classifier ends with plain numbers, one a class',
    );
  let outputGradient = logitsGradient;
  for (let i = stages.length - 1; i >= 0; i--) {
    const stage = stages[i];
    const own = stage.specs.map((spec) => [spec.name, gradients(`${stage.label}.${spec.name}`)] as const);
    const inputGradient = i > 0 ? plan.tensor(`${stage.label} dx`, stage.input.shape) : undefined;
    const node: BackwardNode<unknown> = {
      ...stage,
      outputGradient: plan.view(outputGradient, stage.output.shape),
      inputGradient,
      gradients: Object.fromEntries(own),
    };
    stage.op.backward(plan, node);
    if (inputGradient) outputGradient = inputGradient;
  }
}
