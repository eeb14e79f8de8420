import type {
  Activation,
  ActivationAbout,
  ActivationFormats,
  ActivationReference,
  Tolerance,
} from '../activation.ts';

/** The hyperbolic tangent: PyTorch's nn.Tanh. */
const tanh: Activation = { title: 'Tanh' };

export default tanh;

export const reference: ActivationReference = () => ({
  value: Math.tanh,
  slope: (x) => 1 / Math.cosh(x) ** 2,
});

export const tolerance: Tolerance = { relative: 5e-7, exponent: () => 2 };

export const about: ActivationAbout = {
  everyday: 'Turns any number into one between −1 and 1.',
  explanation: 'Squeezes every number to between −1 and 1.',
};

export const formats: ActivationFormats = (kit) => ({
  pytorch: kit.stateless('Tanh', 'torch.tanh'),
  keras: kit.kerasActivation('tanh'),
  onnx: kit.operator('tanh', 'Tanh'),
  tfjs: kit.activationNamed('tanh'),
});
