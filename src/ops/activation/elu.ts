import type {
  Activation,
  ActivationAbout,
  ActivationFormats,
  ActivationReference,
  Tolerance,
} from '../activation.ts';
import { number } from '../attributes.ts';

const attributes = { alpha: number(1) };

/** x where it is positive, else alpha (e^x - 1): PyTorch's nn.ELU. At 0 the slope is alpha. */
const elu: Activation<typeof attributes> = { title: 'ELU', attributes };

export default elu;

export const reference: ActivationReference<typeof attributes> = ({ alpha }) => ({
  value: (x) => (x <= 0 ? alpha * Math.expm1(x) : x),
  slope: (x) => (x <= 0 ? alpha * Math.exp(x) : 1),
});

export const tolerance: Tolerance<typeof attributes> = { relative: 5e-7, exponent: () => 1 };

export const about: ActivationAbout = {
  everyday: 'Keeps what is above zero, and bends gently below it instead of cutting off.',
  explanation: 'Like ReLU, but negative inputs saturate smoothly at −alpha.',
  attributes: { alpha: { title: 'Alpha', hint: 'Saturation level for negative inputs.' } },
};

export const formats: ActivationFormats = (kit) => ({
  pytorch: kit.stateless('ELU', 'F.elu', kit.attributeArguments(attributes)),
  keras: kit.kerasLayer('ELU', ['alpha', 'alpha', 1]),
  onnx: kit.operator('elu', 'Elu', { alpha: ['alpha', 1] }),
  tfjs: {
    write(writing) {
      const { graph, layer, inputs } = writing;
      const alpha = kit.numberOf(layer, 'alpha');
      if (alpha === 1) return graph.add('ELU', layer.name, inputs, { alpha: 1 });
      // alpha ELU(x) + (1 - alpha) ReLU(x)
      const below = graph.add('ELU', `${layer.name}_elu`, inputs, { alpha: 1 });
      const above = graph.add('ReLU', `${layer.name}_relu`, inputs);
      const parts = [
        kit.rescaled(writing, below, alpha, 'below'),
        kit.rescaled(writing, above, 1 - alpha, 'above'),
      ];
      return graph.add('Add', layer.name, parts);
    },
    activations: { elu: {} },
    classes: { ELU: (config) => ({ alpha: config.number('alpha', 1) }) },
  },
});
