import { sigmoid } from '../../base/sigmoid.ts';
import type {
  Activation,
  ActivationAbout,
  ActivationFormats,
  ActivationReference,
  Tolerance,
} from '../activation.ts';
import { above, number } from '../attributes.ts';
import type { SourceLayer } from '../layer.ts';

const attributes = { beta: above(0, 1), threshold: number(20) };

/** log(1 + e^(beta x)) / beta, and x itself where beta x is above the threshold: PyTorch's nn.Softplus. */
const softplus: Activation<typeof attributes> = { title: 'Softplus', attributes };

export default softplus;

export const reference: ActivationReference<typeof attributes> = ({ beta, threshold }) => ({
  value: (x) => (beta * x > threshold ? x : Math.log1p(Math.exp(beta * x)) / beta),
  slope: (x) => (beta * x > threshold ? 1 : sigmoid.value(beta * x)),
});

export const tolerance: Tolerance<typeof attributes> = { relative: 5e-7, exponent: ({ beta }) => beta };

export const about: ActivationAbout = {
  everyday: 'Keeps what is above zero and drops the rest, with a rounded corner between.',
  explanation: 'A smooth approximation of ReLU.',
  attributes: {
    beta: { title: 'Beta', hint: 'The larger, the sharper the corner.' },
    threshold: { title: 'Threshold', hint: 'Linear where beta times x is above this value.' },
  },
};

export const formats: ActivationFormats = (kit) => {
  const betaOf = (layer: SourceLayer) => kit.numberOf(layer, 'beta');

  /**
   * The value of beta x above which it is x; undefined where that changes nothing that float32 shows, as with PyTorch's 20:
   * other programs have no such threshold.
   */
  function thresholdOf(layer: SourceLayer): number | undefined {
    const threshold = kit.numberOf(layer, 'threshold');
    return threshold < 15 ? threshold : undefined;
  }

  return {
    pytorch: kit.stateless('Softplus', 'F.softplus', kit.attributeArguments(attributes)),
    keras(writing) {
      const { layer, first } = writing;
      const beta = betaOf(layer);
      const threshold = thresholdOf(layer);
      if (beta === 1 && threshold === undefined) return kit.kerasActivation('softplus')(writing);
      const soft = `ops.softplus(${first} * ${beta}) / ${beta}`;
      return threshold === undefined
        ? [soft]
        : [`ops.where(${first} * ${beta} > ${threshold}, ${first}, ${soft})`];
    },
    onnx: {
      write({ graph, layer, inputs: [input], output }) {
        const beta = betaOf(layer);
        const threshold = thresholdOf(layer);
        if (threshold === undefined) {
          soft(output);
          return;
        }
        const limit = graph.tensor(`${layer.name}/threshold`, [], Float32Array.of(threshold / beta));
        const greater = graph.node('Greater', [input, limit], graph.unique(`${layer.name}/above`));
        graph.node('Where', [greater, input, soft(graph.unique(`${layer.name}/below`))], output);

        function soft(to: string): string {
          if (beta === 1) return graph.node('Softplus', [input], to);
          const factor = graph.tensor(`${layer.name}/beta`, [], Float32Array.of(beta));
          const scaled = graph.node('Mul', [input, factor], graph.unique(`${layer.name}/scaled`));
          const own = graph.node('Softplus', [scaled], graph.unique(`${layer.name}/softplus`));
          return graph.node('Div', [own, factor], to);
        }
      },
    },
    tfjs: {
      write(writing) {
        const { graph, layer, inputs } = writing;
        const threshold = thresholdOf(layer);
        if (threshold !== undefined)
          throw kit.notInTfjs(
            layer,
            `its softplus has no threshold; expected at least 15, found ${threshold}`,
          );
        const beta = betaOf(layer);
        if (beta === 1) return kit.activationLayer('softplus')(writing);
        const scaled = kit.rescaled(writing, inputs[0], beta, 'scaled');
        const soft = graph.add('Activation', `${layer.name}_softplus`, [scaled], { activation: 'softplus' });
        return graph.add('Rescaling', layer.name, [soft], { scale: 1 / beta, offset: 0 });
      },
      nonNegative: 'always',
      activations: { softplus: {} },
    },
  };
};
