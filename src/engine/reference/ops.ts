/** Every op in float64 as part of a network in training: its output and its gradients. */
import { Failure } from '../../base/result.ts';
import { elements, type Shape } from '../../base/shape.ts';
import {
  ACTIVATIONS,
  activationReference,
  elementwiseBackward,
  elementwiseForward,
} from '../ops/activation/activations.ts';
import {
  adaptiveAvgPoolBackward,
  adaptiveAvgPoolForward,
  adaptiveMaxPoolBackward,
  adaptiveMaxPoolForward,
  avgPoolBackward,
  avgPoolForward,
  maxPoolBackward,
  maxPoolForward,
} from '../ops/pooling/reference.ts';
import { addForward } from '../ops/add/reference.ts';
import {
  batchNormBackward,
  batchNormForward,
  batchStatistics,
  type BatchNormProblem,
} from '../ops/batch_norm/reference.ts';
import { concatBackward, concatForward } from '../ops/concat/reference.ts';
import { problemOf, type ConvAttributes } from '../ops/conv/index.ts';
import { convBiasGradient, convDgrad, convFprop, convWgrad } from '../ops/conv/reference.ts';
import { linearBiasGradient, linearDgrad, linearFprop, linearWgrad } from '../ops/linear/reference.ts';
import { maxoutBackward, maxoutForward } from '../ops/maxout/reference.ts';
import { poolProblem, type PoolAttributes } from '../ops/pooling/geometry.ts';
import { reluBackward, reluForward } from '../ops/relu/reference.ts';

/** One use of an op, with its values. */
export interface ReferenceUse {
  attributes: Readonly<Record<string, unknown>>;
  inputs: readonly Float64Array[];
  shapes: readonly Shape[];
  output: Shape;
  /** By PyTorch's names: "weight". */
  parameters: Readonly<Record<string, ArrayLike<number>>>;
}

export interface ReferenceGradients {
  /** One per input. */
  inputs: readonly Float64Array[];
  /** By PyTorch's names. */
  parameters?: Readonly<Record<string, Float64Array>>;
}

export interface ReferenceOutput {
  y: Float64Array;
  /** Maps the output's gradient to those of inputs and parameters. */
  backward(dy: Float64Array): ReferenceGradients;
}

export type ReferenceOp = (use: ReferenceUse) => ReferenceOutput;

const elementwise =
  (name: string): ReferenceOp =>
  ({ attributes, inputs: [x] }) => {
    const f = activationReference(name, attributes);
    return { y: elementwiseForward(f, x), backward: (dy) => ({ inputs: [elementwiseBackward(f, x, dy)] }) };
  };

const sameNumbers: ReferenceOp = ({ inputs: [x] }) => ({ y: x, backward: (dy) => ({ inputs: [dy] }) });

export const REFERENCES: Readonly<Record<string, ReferenceOp>> = {
  flatten: sameNumbers,

  dropout(use) {
    if (use.attributes['p'] === 0) return sameNumbers(use);
    throw new Failure(
      'unsupported',
      'dropout is random in every step and cannot be compared with a reference',
    );
  },

  ...Object.fromEntries(ACTIVATIONS.map(({ name }) => [name, elementwise(name)])),

  relu({ inputs: [x] }) {
    const y = reluForward(x);
    return { y, backward: (dy) => ({ inputs: [reluBackward(y, dy)] }) };
  },

  add: ({ inputs }) => ({ y: addForward(...inputs), backward: (dy) => ({ inputs: inputs.map(() => dy) }) }),

  concat({ inputs, shapes }) {
    const runs = shapes.map((shape) => elements(shape.slice(1)));
    return { y: concatForward(inputs, runs), backward: (dy) => ({ inputs: concatBackward(dy, runs) }) };
  },

  conv({ attributes, inputs: [x], shapes: [shape], parameters: { weight, bias } }) {
    const problem = problemOf(attributes as unknown as ConvAttributes, shape);
    return {
      y: convFprop(problem, x, weight, bias),
      backward: (dy) => ({
        inputs: [convDgrad(problem, weight, dy)],
        parameters: {
          weight: convWgrad(problem, x, dy),
          ...(bias ? { bias: convBiasGradient(problem, dy) } : {}),
        },
      }),
    };
  },

  linear({ inputs: [x], shapes: [[N, inFeatures]], output, parameters: { weight, bias } }) {
    const problem = { N, inFeatures, outFeatures: output[1] };
    return {
      y: linearFprop(problem, x, weight, bias),
      backward: (dy) => ({
        inputs: [linearDgrad(problem, weight, dy)],
        parameters: {
          weight: linearWgrad(problem, x, dy),
          ...(bias ? { bias: linearBiasGradient(problem, dy) } : {}),
        },
      }),
    };
  },

  batch_norm({ attributes, inputs: [x], shapes: [[N, C, ...rest]], parameters: { weight, bias } }) {
    const { eps = 1e-5 } = attributes as { eps?: number };
    const problem: BatchNormProblem = { N, C, plane: elements(rest), eps };
    return {
      y: batchNormForward(problem, batchStatistics(problem, x), x, weight, bias),
      backward(dy) {
        const { dx, dw, db } = batchNormBackward(problem, x, weight, dy);
        return { inputs: [dx], parameters: { weight: dw, bias: db } };
      },
    };
  },

  max_pool({ attributes, inputs: [x], shapes: [shape] }) {
    const problem = poolProblem('max_pool', attributes as unknown as PoolAttributes, shape);
    const { y, argmax } = maxPoolForward(problem, x);
    return { y, backward: (dy) => ({ inputs: [maxPoolBackward(problem, argmax, dy)] }) };
  },

  avg_pool({ attributes, inputs: [x], shapes: [shape] }) {
    const { countIncludePad = true } = attributes as { countIncludePad?: boolean };
    const problem = poolProblem('avg_pool', attributes as unknown as PoolAttributes, shape);
    return {
      y: avgPoolForward(problem, x, countIncludePad),
      backward: (dy) => ({ inputs: [avgPoolBackward(problem, dy, countIncludePad)] }),
    };
  },

  adaptive_avg_pool: ({ inputs: [x], shapes: [shape], output }) => ({
    y: adaptiveAvgPoolForward(shape, output, x),
    backward: (dy) => ({ inputs: [adaptiveAvgPoolBackward(shape, output, dy)] }),
  }),

  adaptive_max_pool({ inputs: [x], shapes: [shape], output }) {
    const { y, argmax } = adaptiveMaxPoolForward(shape, output, x);
    return { y, backward: (dy) => ({ inputs: [adaptiveMaxPoolBackward(shape, argmax, dy)] }) };
  },

  maxout({ attributes, inputs: [x], shapes: [shape] }) {
    const { pieces } = attributes as { pieces: number };
    const { y, argmax } = maxoutForward(shape, pieces, x);
    return { y, backward: (dy) => ({ inputs: [maxoutBackward(shape, argmax, dy)] }) };
  },
};
