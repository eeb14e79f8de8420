import type {
  Activation,
  ActivationAbout,
  ActivationFormats,
  ActivationReference,
  Tolerance,
} from '../activation.ts';
import { number } from '../attributes.ts';

const attributes = { negativeSlope: number(0.01) };

/**
 * x where it is positive, else negativeSlope x: PyTorch's nn.LeakyReLU. At 0 the slope is negativeSlope. If that is 0,
 * negative infinity gives 0 or NaN, depending on the GPU's compiler; PyTorch gives NaN.
 */
const leakyRelu: Activation<typeof attributes> = { title: 'Leaky ReLU', attributes };

export default leakyRelu;

export const reference: ActivationReference<typeof attributes> = ({ negativeSlope }) => ({
  value: (x) => (x > 0 ? x : negativeSlope * x),
  slope: (x) => (x > 0 ? 1 : negativeSlope),
});

export const tolerance: Tolerance<typeof attributes> = { relative: 2e-7 };

export const about: ActivationAbout = {
  stem: 'leakyrelu',
  everyday: 'Keeps what is above zero, and lets a little of the rest through.',
  explanation: 'Keeps a small slope for negative inputs, so units cannot die.',
  attributes: {
    negativeSlope: { title: 'Negative slope', short: 'negative slope', hint: 'Slope for negative inputs.' },
  },
};

export const formats: ActivationFormats = (kit) => ({
  pytorch: kit.stateless('LeakyReLU', 'F.leaky_relu', kit.attributeArguments(attributes)),
  keras: kit.kerasLayer('LeakyReLU', ['negative_slope', 'negativeSlope', 0.3]),
  onnx: kit.operator('leaky_relu', 'LeakyRelu', { alpha: ['negativeSlope', 0.01] }),
  tfjs: {
    write: kit.withNumber('LeakyReLU', 'alpha', 'negativeSlope'),
    classes: { LeakyReLU: (config) => ({ negativeSlope: config.number(['alpha', 'negative_slope'], 0.3) }) },
  },
});
