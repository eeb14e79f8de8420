import { sigmoid } from '../../base/sigmoid.ts';
import type {
  Activation,
  ActivationAbout,
  ActivationFormats,
  ActivationReference,
  Tolerance,
} from '../activation.ts';

/** x sigmoid(x), also called swish: PyTorch's nn.SiLU. As there, NaN for negative infinity. */
const silu: Activation = { title: 'SiLU' };

export default silu;

export const reference: ActivationReference = () => ({
  value: (x) => x * sigmoid.value(x),
  slope: (x) => sigmoid.value(x) + x * sigmoid.slope(x),
});

export const tolerance: Tolerance = { relative: 5e-7, exponent: () => 1, absolute: 1e-7 };

export const about: ActivationAbout = {
  everyday: 'Keeps what is above zero and drops most of the rest, with a rounded dip between.',
  explanation: 'A smooth ReLU: x · sigmoid(x). Also known as Swish.',
};

export const formats: ActivationFormats = (kit) => ({
  pytorch: kit.stateless('SiLU', 'F.silu'),
  keras: kit.kerasActivation('silu'),
  onnx: {
    ...kit.operator('silu', 'Swish'),
    // Swish came with version 24 of the operators.
    write({ graph, layer, inputs: [input], output }) {
      const gate = graph.node('Sigmoid', [input], graph.unique(`${layer.name}/sigmoid`));
      graph.node('Mul', [input, gate], output);
    },
  },
  tfjs: kit.activationNamed('swish', 'silu'),
});
