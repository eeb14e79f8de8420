/** Inference in float64: every layer's output, and gradients by central differences. */
import { assert } from '../../base/assert.ts';
import { elements } from '../../base/shape.ts';
import { IMAGES } from '../graph.ts';
import type { LayerShape } from '../network.ts';
import { activationReference, elementwiseForward } from '../ops/activation/reference.ts';
import { addForward } from '../ops/add/reference.ts';
import { batchNormForward } from '../ops/batch_norm/reference.ts';
import { concatForward } from '../ops/concat/reference.ts';
import type { BatchNormAttributes } from '../ops/batch_norm/index.ts';
import { problemOf, type ConvAttributes } from '../ops/conv/index.ts';
import type { MaxoutAttributes } from '../ops/maxout/index.ts';
import { convFprop } from '../ops/conv/reference.ts';
import { linearFprop } from '../ops/linear/reference.ts';
import { maxoutForward } from '../ops/maxout/reference.ts';
import { poolProblem, type AvgPoolAttributes, type MaxPoolAttributes } from '../ops/pooling/geometry.ts';
import { adaptiveAvgPoolForward, avgPoolForward, maxPoolForward } from '../ops/pooling/reference.ts';
import { reluForward } from '../ops/relu/reference.ts';
import type { StateDict } from '../parameters.ts';

/**
 * Every layer's output for some images, with running statistics in batch normalisation.
 * @param shapes of the network, for that many images
 * @param given the output of a layer, in place of the computed one
 */
export function referenceOutputs(
  shapes: readonly LayerShape[],
  x: ArrayLike<number>,
  state: StateDict,
  given?: { place: number; values: Float64Array },
): Float64Array[] {
  const outputs: Float64Array[] = [];
  for (const [place, { layer, op, attributes, sources, input, inputs, output }] of shapes.entries()) {
    if (given?.place === place) {
      outputs.push(given.values);
      continue;
    }
    const taken = sources.map((source) => (source === IMAGES ? Float64Array.from(x) : outputs[source]));
    const [first] = taken;
    const optional = (name: string) => state.get(`${layer.name}.${name}`)?.data;
    const own = (name: string) => {
      const found = optional(name);
      assert(found !== undefined, `no ${layer.name}.${name}`);
      return found;
    };
    const known: Record<string, () => Float64Array> = {
      conv: () =>
        convFprop(problemOf(attributes as ConvAttributes, input), first, own('weight'), optional('bias')),
      relu: () => reluForward(first),
      add: () => addForward(...taken),
      concat: () =>
        concatForward(
          taken,
          inputs.map((shape) => elements(shape.slice(1))),
        ),
      max_pool: () =>
        maxPoolForward(poolProblem('max_pool', attributes as MaxPoolAttributes, input), first).y,
      avg_pool: () =>
        avgPoolForward(poolProblem('avg_pool', attributes as AvgPoolAttributes, input), first, true),
      adaptive_avg_pool: () => adaptiveAvgPoolForward(input, output, first),
      maxout: () => maxoutForward(input, (attributes as MaxoutAttributes).pieces, first).y,
      flatten: () => first,
      dropout: () => first,
      linear: () =>
        linearFprop(
          { N: input[0], inFeatures: input[1], outFeatures: output[1] },
          first,
          own('weight'),
          optional('bias'),
        ),
      batch_norm: () =>
        batchNormForward(
          {
            N: input[0],
            C: input[1],
            plane: elements(input.slice(2)),
            ...(attributes as BatchNormAttributes),
          },
          { mean: Float64Array.from(own('running_mean')), variance: Float64Array.from(own('running_var')) },
          first,
          own('weight'),
          own('bias'),
        ),
    };
    const forward = known[op.name];
    outputs.push(forward ? forward() : elementwiseForward(activationReference(op.name, attributes), first));
  }
  return outputs;
}

/** The gradient of one logit with respect to a layer's output, for one image, by central differences. */
export function referenceClassGradient(
  shapes: readonly LayerShape[],
  x: ArrayLike<number>,
  state: StateDict,
  place: number,
  ofClass: number,
): Float64Array {
  const values = referenceOutputs(shapes, x, state)[place];
  const step = 1e-6;
  return values.map((value, i) => {
    const logit = (change: number) => {
      const moved = Float64Array.from(values);
      moved[i] = value + change;
      const outputs = referenceOutputs(shapes, x, state, { place, values: moved });
      return outputs[outputs.length - 1][ofClass];
    };
    return (logit(step) - logit(-step)) / (2 * step);
  });
}
