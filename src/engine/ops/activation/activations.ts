/**
 * The activation functions, each with its slope. Their kernels are in shaders/activation/<name>.wgsl, with the
 * functions `activation` and `slope`. CONTRIBUTING.md says what else a new one needs.
 */
import { assert } from '../../../base/assert.ts';
import { Failure } from '../../../base/result.ts';
import type { Constants } from '../../../gpu/link.ts';
import { above, choice, MOST, number, type AttributeSpec, type AttributeSpecs } from '../../attributes.ts';
import { normalCdf, normalDensity } from './normal.ts';

/** A function of one number and its slope, in float64. */
export interface Elementwise {
  value(x: number): number;
  slope(x: number): number;
}

export interface Activation<A = object> {
  /** The op's name, and that of the shader file. */
  readonly name: string;
  readonly attributes: AttributeSpecs;
  readonly defaults: A;
  /** Constants of the shader file. */
  constants(attributes: A): Constants;
  /** The float64 reference that the kernels are compared with. */
  reference(attributes: A): Elementwise;
}

const configurable = <A extends object>(activation: Activation<A>): Activation => activation;

const fixed = (name: string, reference: Elementwise): Activation => ({
  name,
  attributes: {},
  defaults: {},
  constants: () => ({}),
  reference: () => reference,
});

/** x where it is positive, else negativeSlope x: PyTorch's nn.LeakyReLU. At 0 the slope is negativeSlope. */
const leakyRelu = configurable({
  name: 'leaky_relu',
  attributes: { negativeSlope: number() },
  defaults: { negativeSlope: 0.01 },
  // With a slope of 0, negative infinity gives 0 or NaN, depending on the GPU's compiler; PyTorch gives NaN.
  constants: ({ negativeSlope }) => ({ NEGATIVE_SLOPE: negativeSlope }),
  reference: ({ negativeSlope }) => ({
    value: (x) => (x > 0 ? x : negativeSlope * x),
    slope: (x) => (x > 0 ? 1 : negativeSlope),
  }),
});

/** x where it is positive, else alpha (e^x - 1): PyTorch's nn.ELU. At 0 the slope is alpha. */
const elu = configurable({
  name: 'elu',
  attributes: { alpha: number() },
  defaults: { alpha: 1 },
  constants: ({ alpha }) => ({ ALPHA: alpha }),
  reference: ({ alpha }) => ({
    value: (x) => (x <= 0 ? alpha * Math.expm1(x) : x),
    slope: (x) => (x <= 0 ? alpha * Math.exp(x) : 1),
  }),
});

/** 1 / (1 + e^-x): PyTorch's nn.Sigmoid. */
const sigmoid: Elementwise = {
  value: (x) => 1 / (1 + Math.exp(-x)),
  // The slope is even; this form avoids a subtraction from 1.
  slope: (x) => sigmoid.value(x) * sigmoid.value(-x),
};

/** x sigmoid(x), also called swish: PyTorch's nn.SiLU. As there, NaN for negative infinity. */
const silu: Elementwise = {
  value: (x) => x * sigmoid.value(x),
  slope: (x) => sigmoid.value(x) + x * sigmoid.slope(x),
};

const SCALE = Math.sqrt(2 / Math.PI);
const CUBIC = 0.044715;

/** (1 + tanh(u)) / 2 = sigmoid(2 u), whose small values keep all their digits. */
const geluTanh: Elementwise = {
  value: (x) => x * sigmoid.value(2 * SCALE * (x + CUBIC * x ** 3)),
  slope(x) {
    const u = 2 * SCALE * (x + CUBIC * x ** 3);
    return sigmoid.value(u) + x * sigmoid.slope(u) * 2 * SCALE * (1 + 3 * CUBIC * x * x);
  },
};

/**
 * x times the probability that a standard normal variable is below x: PyTorch's nn.GELU. As there, NaN for negative
 * infinity. `tanh` approximates the normal distribution by a hyperbolic tangent, up to 5e-4 off.
 */
const gelu = configurable({
  name: 'gelu',
  attributes: { approximate: choice('none', 'tanh') },
  defaults: { approximate: 'none' },
  constants: ({ approximate }) => ({ TANH: approximate === 'tanh' }),
  reference: ({ approximate }) =>
    approximate === 'tanh'
      ? geluTanh
      : { value: (x) => x * normalCdf(x), slope: (x) => normalCdf(x) + x * normalDensity(x) },
});

/** log(1 + e^(beta x)) / beta, and x itself where beta x is above the threshold: PyTorch's nn.Softplus. */
const softplus = configurable({
  name: 'softplus',
  attributes: { beta: above(0), threshold: number() },
  defaults: { beta: 1, threshold: 20 },
  constants: ({ beta, threshold }) => ({ BETA: beta, THRESHOLD: threshold }),
  reference: ({ beta, threshold }) => ({
    value: (x) => (beta * x > threshold ? x : Math.log1p(Math.exp(beta * x)) / beta),
    slope: (x) => (beta * x > threshold ? 1 : sigmoid.value(beta * x)),
  }),
});

/** factor x: a layer between others, such as one that makes logits smaller. */
const scale = configurable({
  name: 'scale',
  attributes: { factor: number() },
  defaults: { factor: 1 },
  constants: ({ factor }) => ({ FACTOR: factor }),
  reference: ({ factor }) => ({ value: (x) => factor * x, slope: () => factor }),
});

/** Every activation but ReLU, which other ops apply themselves (ops/relu). */
export const ACTIVATIONS: readonly Activation[] = [
  leakyRelu,
  elu,
  gelu,
  fixed('silu', silu),
  fixed('sigmoid', sigmoid),
  fixed('tanh', { value: Math.tanh, slope: (x) => 1 / Math.cosh(x) ** 2 }),
  softplus,
  scale,
];

/**
 * The attributes with defaults in place of those that are absent.
 * @throws Failure('bad-input') for a value that its AttributeSpec excludes
 */
export function completeAttributes({ name, attributes: specs, defaults }: Activation, given: object): object {
  const values: Record<string, unknown> = { ...defaults };
  for (const [key, spec] of Object.entries(specs)) {
    const value = (given as Record<string, unknown>)[key];
    if (value === undefined) continue;
    requireAttribute(`${name}: ${key}`, spec, value);
    values[key] = value;
  }
  return values;
}

/** The float64 function of an activation with these attributes. */
export function activationReference(name: string, attributes: object): Elementwise {
  const activation = ACTIVATIONS.find((one) => one.name === name);
  assert(activation !== undefined, `no activation ${name}`);
  return activation.reference(completeAttributes(activation, attributes));
}

export const elementwiseForward = ({ value }: Elementwise, x: ArrayLike<number>): Float64Array =>
  Float64Array.from(x, value);

/** The gradient of x. */
export const elementwiseBackward = (
  { slope }: Elementwise,
  x: ArrayLike<number>,
  dy: ArrayLike<number>,
): Float64Array => Float64Array.from(x, (value, i) => dy[i] * slope(value));

/** @param label for the message: "elu: alpha" */
function requireAttribute(label: string, spec: AttributeSpec, value: unknown): void {
  const found = typeof value === 'number' ? String(value) : JSON.stringify(value);
  const refuse = (expected: string) => {
    throw new Failure('bad-input', `${label}: expected ${expected}, found ${found}`);
  };
  if (spec.kind === 'choice') {
    const names = spec.of.map((one) => JSON.stringify(one));
    if (!spec.of.includes(value as string)) refuse(names.join(' or '));
  } else {
    // Kernels' constants are written without an exponent.
    if (typeof value !== 'number' || !(Math.abs(value) <= MOST)) refuse('a number from -1e20 to 1e20');
    if (spec.kind === 'number' && spec.above && (value as number) <= spec.least)
      refuse(`a number above ${spec.least}`);
  }
}
