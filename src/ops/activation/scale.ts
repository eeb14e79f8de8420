import type {
  Activation,
  ActivationAbout,
  ActivationFormats,
  ActivationReference,
  Tolerance,
} from '../activation.ts';
import { number } from '../attributes.ts';
import type { SourceLayer } from '../layer.ts';

const defaults = { factor: 1 };

/** factor x: a layer between others, such as one that makes logits smaller. */
const scale: Activation<typeof defaults> = { title: 'Scale', attributes: { factor: number() }, defaults };

export default scale;

export const reference: ActivationReference<typeof defaults> = ({ factor }) => ({
  value: (x) => factor * x,
  slope: () => factor,
});

export const tolerance: Tolerance<typeof defaults> = { relative: 2e-7 };

export const about: ActivationAbout = (texts) => ({
  group: 'Normalisation and dropout',
  everyday: 'Makes every number larger or smaller by the same factor.',
  explanation:
    'Multiplies every value by a constant. Scaling the logits down makes a network’s first predictions less confident.',
  attributes: { factor: texts.number('Factor', { default: defaults.factor }, 'The constant.') },
});

export const formats: ActivationFormats = (kit) => {
  const factorOf = (layer: SourceLayer) => kit.numberOf(layer, 'factor', 1);
  return {
    pytorch: { call: (layer, [x]) => `${kit.operandOf(x)} * ${factorOf(layer)}` },
    keras: ({ layer, simple }) => simple('Rescaling', [], [String(factorOf(layer))]),
    onnx: {
      write({ graph, layer, inputs: [input], output }) {
        const factor = graph.tensor(`${layer.name}/factor`, [], Float32Array.of(factorOf(layer)));
        graph.node('Mul', [input, factor], output);
      },
    },
    tfjs: { write: kit.kerasClass('Rescaling', (layer) => ({ scale: factorOf(layer), offset: 0 })) },
  };
};
