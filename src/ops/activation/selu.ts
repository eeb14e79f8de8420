import type {
  Activation,
  ActivationAbout,
  ActivationFormats,
  ActivationReference,
  Tolerance,
} from '../activation.ts';

/** From Klambauer et al., Self-Normalizing Neural Networks, https://arxiv.org/abs/1706.02515, section "Deriving the Mapping Function". */
const ALPHA = 1.6732632423543772;
const SCALE = 1.0507009873554805;

/** SCALE x where it is positive, else SCALE ALPHA (e^x - 1): PyTorch's nn.SELU. At 0 the slope is SCALE ALPHA. */
const selu: Activation = { title: 'SELU', constants: () => ({ ALPHA, SCALE }) };

export default selu;

export const reference: ActivationReference = () => ({
  value: (x) => SCALE * (x <= 0 ? ALPHA * Math.expm1(x) : x),
  slope: (x) => SCALE * (x <= 0 ? ALPHA * Math.exp(x) : 1),
});

export const tolerance: Tolerance = { relative: 5e-7, exponent: () => 1 };

export const about: ActivationAbout = {
  everyday:
    'Keeps what is above zero and bends below it, so that numbers stay of a common size from layer to layer.',
  explanation:
    'An ELU scaled so that, layer after layer, numbers keep a mean near 0 and a variance near 1, if weights begin with a variance of 1 / (inputs of a unit): LeCun’s rule, which the settings do not offer.',
};

export const formats: ActivationFormats = (kit) => ({
  pytorch: kit.stateless('SELU', 'F.selu'),
  keras: kit.kerasActivation('selu'),
  onnx: {
    write: kit.operator('selu', 'Selu').write,
    read: {
      Selu(network, node) {
        const isUsual = (name: string, usual: number) =>
          Math.abs(kit.realOf(node, name, usual) - usual) < 1e-4;
        if (!isUsual('alpha', ALPHA) || !isUsual('gamma', SCALE)) return false;
        network.add(node, 'selu', [network.source(node)]);
        return true;
      },
    },
  },
  tfjs: kit.activationNamed('selu'),
});
