/** How parameters start: the schemes of torch.nn.init (He et al. 2015, Glorot and Bengio 2010), and PyTorch's own. */
import { Random } from '../base/random.ts';
import { elements } from '../base/shape.ts';
import type { ParameterSpec } from './op.ts';

export type Fans = Pick<ParameterSpec, 'shape' | 'fanIn' | 'fanOut'>;

/** Draws a parameter's numbers. */
export type Initializer = (random: Random, fans: Fans) => Float32Array<ArrayBuffer>;

export type Nonlinearity = 'linear' | 'sigmoid' | 'tanh' | 'relu' | 'leaky_relu';

export interface KaimingOptions {
  /** Negative slope of leaky_relu. Default 0. */
  a?: number;
  /** Whether the forward or the backward pass keeps its variance. Default 'fan_in'. */
  mode?: 'fan_in' | 'fan_out';
  /** Default 'leaky_relu'. */
  nonlinearity?: Nonlinearity;
}

/** The factor on the deviation that makes up for a nonlinearity: torch.nn.init.calculate_gain. */
export function gainOf(nonlinearity: Nonlinearity, a = 0.01): number {
  switch (nonlinearity) {
    case 'linear':
    case 'sigmoid':
      return 1;
    case 'tanh':
      return 5 / 3;
    case 'relu':
      return Math.SQRT2;
    case 'leaky_relu':
      return Math.sqrt(2 / (1 + a * a));
  }
}

/** Uniform, with deviation gain / sqrt(fan). */
export const kaimingUniform =
  (options: KaimingOptions = {}): Initializer =>
  (random, fans) =>
    uniform(random, fans, Math.sqrt(3) * kaimingDeviation(options, fans));

/** Normal, with deviation gain / sqrt(fan). */
export const kaimingNormal =
  (options: KaimingOptions = {}): Initializer =>
  (random, fans) =>
    normal(random, fans, kaimingDeviation(options, fans));

/** Uniform, with deviation gain * sqrt(2 / (fan in + fan out)). */
export const xavierUniform =
  (gain = 1): Initializer =>
  (random, fans) =>
    uniform(random, fans, Math.sqrt(3) * xavierDeviation(gain, fans));

/** Normal, with deviation gain * sqrt(2 / (fan in + fan out)). */
export const xavierNormal =
  (gain = 1): Initializer =>
  (random, fans) =>
    normal(random, fans, xavierDeviation(gain, fans));

/** What PyTorch's conv and linear layers start with: weights and biases uniform within 1 / sqrt(fan in). */
export function defaultInitializer(parameter: 'weight' | 'bias'): Initializer {
  if (parameter === 'weight') return kaimingUniform({ a: Math.sqrt(5) });
  return (random, fans) => uniform(random, fans, 1 / Math.sqrt(fans.fanIn));
}

/**
 * A parameter's start: the number that its op says, or drawn. Each draws from a stream of its own, so that one more
 * layer leaves the others as they were.
 * @param name its name in the whole network: "conv1.weight"
 */
export function initialize(
  seed: number,
  name: string,
  spec: ParameterSpec,
  initializer: Initializer = defaultInitializer(spec.name === 'bias' ? 'bias' : 'weight'),
): Float32Array<ArrayBuffer> {
  if (spec.initial !== undefined) return new Float32Array(elements(spec.shape)).fill(spec.initial);
  return initializer(new Random(seed, `init ${name}`), spec);
}

function kaimingDeviation(
  { a = 0, mode = 'fan_in', nonlinearity = 'leaky_relu' }: KaimingOptions,
  { fanIn, fanOut }: Fans,
): number {
  return gainOf(nonlinearity, a) / Math.sqrt(mode === 'fan_in' ? fanIn : fanOut);
}

const xavierDeviation = (gain: number, { fanIn, fanOut }: Fans) => gain * Math.sqrt(2 / (fanIn + fanOut));

const uniform = (random: Random, { shape }: Fans, bound: number) =>
  new Float32Array(elements(shape)).map(() => random.uniform(-bound, bound));

const normal = (random: Random, { shape }: Fans, deviation: number) =>
  new Float32Array(elements(shape)).map(() => random.normal(0, deviation));
