/**
 * How far float32 may take a network's results from their exact values, however much the network enlarges small errors:
 * its float64 reference runs several times, each time with every tensor that a layer computes moved at random within the
 * bound of that layer's errors (../error-bound.ts). So far results move, and not further: that is the network's condition.
 */
import type { Random } from '../../base/random.ts';
import { elements } from '../../base/shape.ts';
import { errorConstant, ROUNDOFF, type Sum } from '../error-bound.ts';
import type { LayerShape } from '../network.ts';
import { batchStatistics } from '../ops/batch_norm/reference.ts';
import { convAlgorithms } from '../ops/conv/algorithms/index.ts';
import type { BatchNormAttributes } from '../ops/batch_norm/index.ts';
import { problemOf, type ConvAttributes } from '../ops/conv/index.ts';
import type { Direction } from '../ops/conv/problem.ts';
import { sumOf } from '../ops/conv/terms.ts';
import { forwardOutputs, parameterGradients } from '../reference/network.ts';
import type { ReferenceOp, ReferenceUse } from '../reference/ops.ts';
import { REFERENCES } from '../reference/registry.ts';

/** How often the reference runs. */
const RUNS = 8;

/**
 * Results may be this many times as far from exact ones as those that were moved are in the root mean square. Bounds of
 * layers are 17 standard deviations of an error or more, and numbers that are uniform within them have a deviation of 10
 * of these. So a correct result would have to exceed 40 deviations, as estimated from 8 runs. By Student's distribution
 * that has a probability of 2e-10.
 */
const TIMES = 4;

/** Ops whose results are sums of products of inputs and parameters: their terms' sizes add up to that of absolute values. */
const SUMS = ['conv', 'linear', 'add', 'concat', 'flatten', 'avg_pool', 'adaptive_avg_pool'];

/** Of an op that adds up few numbers, or none. It has as many roundings as a sum that is no longer bounded by its length. */
const PLAIN: Sum = { terms: 100 };

export type NamedNumbers = Readonly<Record<string, Float64Array>>;

const absolute = (values: ArrayLike<number>) => Float64Array.from(values, Math.abs);
const largest = (values: ArrayLike<number>) => {
  let most = 0;
  for (let i = 0; i < values.length; i++) most = Math.max(most, Math.abs(values[i]));
  return most;
};
const mapped = <V, W>(record: Readonly<Record<string, V>>, map: (value: V, key: string) => W) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));

/** @param sizes of each value's terms; the errors of all are as large as those of the largest may be */
function moved(random: Random, values: Float64Array, sizes: Float64Array, sum = PLAIN): Float64Array {
  const bound = errorConstant(sum, values.length) * ROUNDOFF * largest(sizes);
  return values.map((value) => value + bound * random.uniform(-1, 1));
}

/** How a convolution's algorithm adds up. */
function convSum({ attributes, shapes: [shape] }: ReferenceUse, direction: Direction): Sum {
  const conv = attributes as ConvAttributes;
  const algorithm = conv.run?.[direction]?.algorithm ?? 'direct';
  const sum = sumOf(convAlgorithms.get(algorithm), problemOf(conv, shape), direction);
  // The bias is a term, too.
  return { ...sum, terms: sum.terms + 1 };
}

/** Any op but batch norm. */
const movedOp =
  (random: Random, op: string): ReferenceOp =>
  (use) => {
    const exact = REFERENCES[op](use);
    const sizes = SUMS.includes(op)
      ? REFERENCES[op]({
          ...use,
          inputs: use.inputs.map(absolute),
          parameters: mapped(use.parameters, absolute),
        })
      : exact;
    const sum = (direction: Direction) => (op === 'conv' ? convSum(use, direction) : PLAIN);
    return {
      y: moved(random, exact.y, sizes.y, sum('fprop')),
      backward(dy) {
        const { inputs, parameters = {} } = exact.backward(dy);
        const size = sizes.backward(absolute(dy));
        return {
          inputs: inputs.map((dx, i) => moved(random, dx, size.inputs[i], sum('dgrad'))),
          parameters: mapped(parameters, (gradient, name) =>
            moved(random, gradient, size.parameters?.[name] ?? gradient, sum('wgrad')),
          ),
        };
      },
    };
  };

/** Batch norm subtracts a mean from each number, and divides: by channel, errors are those of the numbers before that. */
const movedBatchNorm =
  (random: Random): ReferenceOp =>
  (use) => {
    const { attributes, inputs, shapes, parameters } = use;
    const [[x], [[N, C, ...rest]]] = [inputs, shapes];
    const { weight, bias } = parameters;
    const { eps } = attributes as BatchNormAttributes;
    const plane = elements(rest);
    const channel = (i: number) => Math.floor(i / plane) % C;
    const ofChannel = (values: Float64Array, c: number) => values.filter((_, i) => channel(i) === c);
    const exact = REFERENCES['batch_norm'](use);
    const { mean, variance } = batchStatistics({ N, C, plane, eps }, x);
    const deviation = variance.map((value) => Math.sqrt(value + eps));
    /** The largest number of a channel, and its largest difference from the mean, over the deviation. */
    const before = deviation.map((value, c) => largest(ofChannel(x, c)) / value);
    const after = deviation.map((value, c) => largest(ofChannel(x, c).map((one) => one - mean[c])) / value);
    /** A mean's error is the same for all numbers of a channel. */
    const movedByChannel = (values: Float64Array, sizes: Float64Array, channelOf = channel) => {
      const bounds = sizes.map((size) => errorConstant(PLAIN, values.length) * ROUNDOFF * size);
      const common = bounds.map((bound) => bound * random.uniform(-1, 1));
      return values.map(
        (value, i) => value + common[channelOf(i)] + bounds[channelOf(i)] * random.uniform(-1, 1),
      );
    };
    return {
      y: movedByChannel(
        exact.y,
        before.map((value, c) => Math.abs(weight[c]) * value + Math.abs(bias[c])),
      ),
      backward(dy) {
        const { inputs: exactInputs, parameters: gradients = {} } = exact.backward(dy);
        const steepest = before.map((_, c) => largest(ofChannel(dy, c)));
        const sums = before.map((_, c) => ofChannel(absolute(dy), c).reduce((sum, value) => sum + value, 0));
        const slopes = steepest.map(
          (value, c) => (value * Math.abs(weight[c]) * (1 + before[c]) * (1 + after[c])) / deviation[c],
        );
        const sizes: NamedNumbers = {
          weight: sums.map((sum, c) => sum * (before[c] + after[c])),
          bias: sums,
        };
        return {
          inputs: exactInputs.map((dx) => movedByChannel(dx, slopes)),
          parameters: mapped(gradients, (gradient, name) => movedByChannel(gradient, sizes[name], (c) => c)),
        };
      },
    };
  };

/** Of the output, "y", and of the gradients of parameters, by their names. */
type Results = ReadonlyMap<string, Float64Array>;

export interface Bounded {
  exact: Float64Array;
  /** How far it may be from a correct result. */
  bound: number;
}

/**
 * The output of a network as "y", and the gradients of its parameters.
 * @param numbers the images as "x", and the parameters
 * @param dy the gradient of the output
 */
export function boundedResults(
  random: Random,
  shapes: readonly LayerShape[],
  numbers: NamedNumbers,
  dy: Float64Array,
): ReadonlyMap<string, Bounded> {
  const results = (references?: Readonly<Record<string, ReferenceOp>>): Results => {
    const outputs = forwardOutputs(shapes, numbers['x'], (name) => numbers[name], references);
    return new Map([...parameterGradients(shapes, outputs, dy), ['y', outputs[outputs.length - 1].y]]);
  };
  const references = {
    ...mapped(REFERENCES, (_, op) => movedOp(random, op)),
    batch_norm: movedBatchNorm(random),
  };
  const runs = Array.from({ length: RUNS }, () => results(references));
  const bounded = ([name, exact]: [string, Float64Array]): [string, Bounded] => {
    const squares = exact.map((value, i) =>
      runs.reduce((sum, run) => sum + ((run.get(name)?.[i] ?? NaN) - value) ** 2, 0),
    );
    return [name, { exact, bound: TIMES * Math.sqrt(largest(squares) / RUNS) }];
  };
  return new Map([...results()].map(bounded));
}
