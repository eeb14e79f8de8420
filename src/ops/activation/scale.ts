import type {
  Activation,
  ActivationAbout,
  ActivationFormats,
  ActivationReference,
  Tolerance,
} from '../activation.ts';
import { number } from '../attributes.ts';
import type { SourceLayer } from '../layer.ts';

const attributes = { factor: number(1) };

/** factor x: a layer between others, such as one that makes logits smaller. */
const scale: Activation<typeof attributes> = { title: 'Scale', attributes };

export default scale;

export const reference: ActivationReference<typeof attributes> = ({ factor }) => ({
  value: (x) => factor * x,
  slope: () => factor,
});

export const tolerance: Tolerance<typeof attributes> = { relative: 2e-7 };

export const about: ActivationAbout = {
  group: 'Normalisation and dropout',
  everyday: 'Makes every number larger or smaller by the same factor.',
  explanation:
    'Multiplies every value by a constant. Scaling the logits down makes a network’s first predictions less confident.',
  attributes: { factor: { title: 'Factor', hint: 'The constant.' } },
};

export const formats: ActivationFormats = (kit) => {
  const factorOf = (layer: SourceLayer) => kit.numberOf(layer, 'factor');
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
