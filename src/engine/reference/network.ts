/** A whole network's training step in float64 on the CPU: the reference for the GPU's results. */
import { Failure } from '../../base/result.ts';
import type { Shape } from '../../base/shape.ts';
import { IMAGES, type Layer } from '../graph.ts';
import { crossEntropyBackward, crossEntropyForward } from '../loss/reference.ts';
import { inferShapes, type LayerShape } from '../network.ts';
import { problemOf, type ConvAttributes } from '../ops/conv/index.ts';
import { flops } from '../ops/conv/problem.ts';
import type { ReferenceOp, ReferenceOutput } from './ops.ts';
import { REFERENCES } from './registry.ts';

export interface ReferenceBatch {
  /** [N, C, H, W] */
  shape: Shape;
  /** Normalised. */
  x: ArrayLike<number>;
  labels: Uint32Array;
}

export interface ReferenceStep {
  /** Mean over the batch. */
  loss: number;
  /** By state_dict name. */
  gradients: ReadonlyMap<string, Float64Array>;
}

/** Returns a parameter's values by its state_dict name. */
export type NumberLookup = (name: string) => ArrayLike<number>;

/** The approximate operations of a step: forward, and both gradients. */
export function referenceFlop(layers: readonly Layer[], input: Shape): number {
  return inferShapes(layers, input).reduce((sum, { layer, attributes, input: shape, output }) => {
    if (layer.op === 'conv') return sum + 3 * flops(problemOf(attributes as ConvAttributes, shape));
    return layer.op === 'linear' ? sum + 6 * shape[0] * shape[1] * output[1] : sum;
  }, 0);
}

/**
 * What every layer of a forward pass outputs.
 * @param references by op
 * @throws Failure `unsupported` for a layer whose op has no reference
 */
export function forwardOutputs(
  shapes: readonly LayerShape[],
  images: Float64Array,
  parameters: NumberLookup,
  references: Readonly<Record<string, ReferenceOp>> = REFERENCES,
) {
  const outputs: ReferenceOutput[] = [];
  const numbersOf = (source: number) => (source === IMAGES ? images : outputs[source].y);
  for (const one of shapes) {
    const reference = references[one.layer.op];
    if (!reference)
      throw new Failure('unsupported', `"${one.layer.op}" has no float64 reference to compare with`);
    const own = one.parameters.map(({ name }) => [name, parameters(`${one.layer.name}.${name}`)]);
    outputs.push(
      reference({
        attributes: one.attributes,
        inputs: one.sources.map(numbersOf),
        shapes: one.inputs,
        output: one.output,
        parameters: Object.fromEntries(own),
      }),
    );
  }
  return outputs;
}

/**
 * The last layer's output for normalised images.
 * @throws Failure `unsupported` for a layer whose op has no reference
 */
export function referenceLogits(
  layers: readonly Layer[],
  { shape, x }: Pick<ReferenceBatch, 'shape' | 'x'>,
  parameters: NumberLookup,
): Float64Array {
  const outputs = forwardOutputs(inferShapes(layers, shape), Float64Array.from(x), parameters);
  return outputs[outputs.length - 1].y;
}

/**
 * The loss and all its gradients. Batch normalisation uses the batch's own statistics; nothing is changed.
 * @throws Failure `unsupported` for a layer whose op has no reference
 */
export function referenceStep(
  layers: readonly Layer[],
  { shape, x, labels }: ReferenceBatch,
  parameters: NumberLookup,
): ReferenceStep {
  const shapes = inferShapes(layers, shape);
  const outputs = forwardOutputs(shapes, Float64Array.from(x), parameters);
  const logits = outputs[outputs.length - 1].y;
  const [, classes] = shapes[shapes.length - 1].output;
  const gradients = parameterGradients(shapes, outputs, crossEntropyBackward(logits, labels, classes));
  return { loss: crossEntropyForward(logits, labels, classes).loss, gradients };
}

/**
 * The gradients of all parameters, by state_dict name.
 * @param outputs of `forwardOutputs`
 * @param last the gradient of the last layer's output
 */
export function parameterGradients(
  shapes: readonly LayerShape[],
  outputs: readonly ReferenceOutput[],
  last: Float64Array,
): Map<string, Float64Array> {
  const gradients = new Map<string, Float64Array>();
  const ofOutputs: (Float64Array | undefined)[] = shapes.map(() => undefined);
  ofOutputs[shapes.length - 1] = last;
  for (let i = shapes.length - 1; i >= 0; i--) {
    const { layer, sources, learns } = shapes[i];
    const dy = ofOutputs[i];
    if (!learns || dy === undefined) continue;
    const { inputs, parameters: own = {} } = outputs[i].backward(dy);
    for (const [name, gradient] of Object.entries(own)) gradients.set(`${layer.name}.${name}`, gradient);
    sources.forEach((source, k) => {
      if (source === IMAGES) return;
      const before = ofOutputs[source];
      ofOutputs[source] = before ? before.map((value, j) => value + inputs[k][j]) : inputs[k];
    });
  }
  return gradients;
}
