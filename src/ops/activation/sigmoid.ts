import { sigmoid as sigmoidOf } from '../../base/sigmoid.ts';
import type {
  Activation,
  ActivationAbout,
  ActivationFormats,
  ActivationReference,
  Tolerance,
} from '../activation.ts';

/** 1 / (1 + e^-x): PyTorch's nn.Sigmoid. */
const sigmoid: Activation = { title: 'Sigmoid' };

export default sigmoid;

export const reference: ActivationReference = () => sigmoidOf;

export const tolerance: Tolerance = { relative: 5e-7, exponent: () => 1 };

export const about: ActivationAbout = {
  everyday: 'Turns any number into one between 0 and 1, like a share.',
  explanation: 'Squeezes every number to between 0 and 1.',
};

export const formats: ActivationFormats = (kit) => ({
  pytorch: kit.stateless('Sigmoid', 'torch.sigmoid'),
  keras: kit.kerasActivation('sigmoid'),
  // Read elsewhere: it may be a part of SiLU.
  onnx: { write: kit.operator('sigmoid', 'Sigmoid').write },
  tfjs: { ...kit.activationNamed('sigmoid'), nonNegative: 'always' },
});
