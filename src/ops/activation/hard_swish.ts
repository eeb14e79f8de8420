import type {
  Activation,
  ActivationAbout,
  ActivationFormats,
  ActivationReference,
  Tolerance,
} from '../activation.ts';

/** x (x + 3) / 6 between -3 and 3, 0 below and x above: PyTorch's nn.Hardswish, which gives NaN for negative infinity. */
const hardSwish: Activation = { title: 'Hard swish' };

export default hardSwish;

export const reference: ActivationReference = () => ({
  value: (x) => (x <= -3 ? 0 : x >= 3 ? x : (x * (x + 3)) / 6),
  slope: (x) => (x <= -3 ? 0 : x < 3 ? x / 3 + 0.5 : 1),
});

export const tolerance: Tolerance = { relative: 5e-7, absolute: 1e-7 };

export const about: ActivationAbout = {
  stem: 'hardswish',
  everyday: 'Keeps what is above zero and drops most of the rest, in a way that is quick to compute.',
  explanation: 'SiLU with a hard sigmoid instead of a smooth one, made for phones.',
};

export const formats: ActivationFormats = (kit) => ({
  pytorch: kit.stateless('Hardswish', 'F.hardswish'),
  keras: kit.kerasActivation('hard_silu'),
  onnx: {
    ...kit.operator('hard_swish', 'HardSwish'),
    // HardSwish came with version 14 of the operators.
    write({ graph, layer, inputs: [input], output }) {
      const attributes = { alpha: { float: 1 / 6 }, beta: { float: 0.5 } };
      const gate = graph.node('HardSigmoid', [input], graph.unique(`${layer.name}/gate`), attributes);
      graph.node('Mul', [input, gate], output);
    },
  },
  tfjs: {
    write({ layer }) {
      throw kit.notInTfjs(layer, 'it has no hard swish');
    },
    activations: { hardSwish: {}, hard_swish: {}, hard_silu: {} },
  },
});
