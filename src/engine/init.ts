/**
 * Initial values of parameters: the schemes of torch.nn.init (He et al. 2015, Glorot and Bengio 2010), and PyTorch's
 * defaults.
 */
import { Random } from '../base/random.ts';
import { elements } from '../base/shape.ts';
import type { ParameterSpec } from './op.ts';

export type Fans = Pick<ParameterSpec, 'shape' | 'fanIn' | 'fanOut' | 'groups'>;

/** Returns a parameter's random initial values. */
export type Initializer = (random: Random, fans: Fans) => Float32Array<ArrayBuffer>;

export type Nonlinearity = 'linear' | 'sigmoid' | 'tanh' | 'relu' | 'leaky_relu';

export interface KaimingOptions {
  /** Negative slope of leaky_relu. Default 0. */
  a?: number;
  /** Whether the variance is preserved in the forward or the backward pass. Default 'fan_in'. */
  mode?: 'fan_in' | 'fan_out';
  /** Default 'leaky_relu'. */
  nonlinearity?: Nonlinearity;
}

/** The factor on the deviation that compensates for a nonlinearity: torch.nn.init.calculate_gain. */
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

/**
 * Filters that pass their input on: filter k of a group copies channel k of it, as torch.nn.init.dirac_ makes them. Filters
 * beyond the channels are drawn by `others`.
 */
export const dirac =
  (others: Initializer): Initializer =>
  (random, fans) => {
    const values = others(random, fans);
    const { groups = 1 } = fans;
    const [filters, channels, ...window] = fans.shape;
    const positions = elements(window);
    const centre = window.reduce((at, size) => at * size + Math.floor(size / 2), 0);
    for (let k = 0; k < filters; k++) {
      const channel = k % (filters / groups);
      if (channel >= channels) continue;
      const first = k * channels * positions;
      values.fill(0, first, first + channels * positions);
      values[first + channel * positions + centre] = 1;
    }
    return values;
  };

/** Schemes for a whole network. */
export const WEIGHTS_INITS = [
  'kaiming_uniform',
  'kaiming_normal',
  'kaiming_normal_fan_in',
  'xavier_uniform',
  'xavier_normal',
  'dirac',
] as const;

/**
 * - `kaiming_uniform`: the default of PyTorch's layers: weights and biases within 1 / sqrt(fan in)
 * - `kaiming_normal`: as torchvision's ResNets, filters with deviation sqrt(2 / fan out), which preserves the variance
 *   of gradients through ReLUs; linear layers' weights as above
 * - `kaiming_normal_fan_in`: weights with deviation sqrt(2 / fan in), which preserves the variance of activations
 * - `xavier_uniform`, `xavier_normal`: weights with deviation sqrt(2 / (fan in + fan out))
 * - `dirac`: filters that pass their input on, as far as there are channels; the others, and linear layers, as PyTorch
 *
 * Biases are zero in all but the first. Parameters with a fixed initial value (batch normalisation) have that.
 */
export type WeightsInit = (typeof WEIGHTS_INITS)[number];

/** Within 1 / sqrt(fan in), as PyTorch writes it for weights; biases take their weights' fan in. */
const byItself = kaimingUniform({ a: Math.sqrt(5) });
const biasByItself: Initializer = (random, fans) => uniform(random, fans, 1 / Math.sqrt(fans.fanIn));
const zeros: Initializer = (_, { shape }) => new Float32Array(elements(shape));
const toFilters = kaimingNormal({ mode: 'fan_out', nonlinearity: 'relu' });

/** Returns the initialiser of one parameter. */
export function initializerOf(init: WeightsInit, { name, shape }: ParameterSpec): Initializer {
  if (name === 'bias') return init === 'kaiming_uniform' ? biasByItself : zeros;
  switch (init) {
    case 'kaiming_uniform':
      return byItself;
    case 'kaiming_normal':
      return shape.length > 2 ? toFilters : byItself;
    case 'kaiming_normal_fan_in':
      return kaimingNormal({ nonlinearity: 'relu' });
    case 'xavier_uniform':
      return xavierUniform();
    case 'xavier_normal':
      return xavierNormal();
    case 'dirac':
      return shape.length > 2 ? dirac(byItself) : byItself;
  }
}

/**
 * A parameter's initial values: fixed by its op, or random. Each parameter has its own random stream, so an added layer
 * does not change the others.
 * @param name its name in the whole network: "conv1.weight"
 */
export function initialize(
  seed: number,
  name: string,
  spec: ParameterSpec,
  init: WeightsInit = 'kaiming_uniform',
): Float32Array<ArrayBuffer> {
  if (spec.initial !== undefined) return new Float32Array(elements(spec.shape)).fill(spec.initial);
  return initializerOf(init, spec)(new Random(seed, `init ${name}`), spec);
}

function kaimingDeviation(
  { a = 0, mode = 'fan_in', nonlinearity = 'leaky_relu' }: KaimingOptions,
  { fanIn, fanOut }: Fans,
): number {
  return gainOf(nonlinearity, a) / Math.sqrt(mode === 'fan_in' ? fanIn : fanOut);
}

const xavierDeviation = (gain: number, { fanIn, fanOut }: Fans) => gain * Math.sqrt(2 / (fanIn + fanOut));

function uniform(random: Random, { shape }: Fans, bound: number): Float32Array<ArrayBuffer> {
  const values = new Float32Array(elements(shape));
  // Networks have millions of them: `map` takes twice as long.
  for (let i = 0; i < values.length; i++) values[i] = random.uniform(-bound, bound);
  return values;
}

function normal(random: Random, { shape }: Fans, deviation: number): Float32Array<ArrayBuffer> {
  const values = new Float32Array(elements(shape));
  for (let i = 0; i < values.length; i++) values[i] = random.normal(0, deviation);
  return values;
}
