import type {
  Activation,
  ActivationAbout,
  ActivationFormats,
  ActivationReference,
  Tolerance,
} from '../activation.ts';
import { above } from '../attributes.ts';
import type { SourceLayer } from '../layer.ts';

const specs = { slope: above(0, 1 / 6) };

/** The slope in TensorFlow.js, and in Keras until version 3. */
const IN_TFJS = 0.2;

/** Where slope x + 1/2 reaches 1. */
const limitOf = (slope: number): number => 0.5 / slope;

/** slope x + 1/2, but at least 0 and at most 1: by default PyTorch's nn.Hardsigmoid. As there, the slope at both ends is 0. */
const hardSigmoid: Activation<typeof specs> = {
  title: 'Hard sigmoid',
  attributes: specs,
  constants: ({ slope }) => ({ SLOPE: slope, LIMIT: limitOf(slope) }),
};

export default hardSigmoid;

export const reference: ActivationReference<typeof specs> = ({ slope }) => {
  const limit = limitOf(slope);
  return {
    value: (x) => (x <= -limit ? 0 : x >= limit ? 1 : slope * x + 0.5),
    slope: (x) => (Math.abs(x) < limit ? slope : 0),
  };
};

export const tolerance: Tolerance<typeof specs> = { relative: 5e-7, absolute: 1e-7 };

export const about: ActivationAbout = {
  stem: 'hardsigmoid',
  everyday: 'Turns any number into one between 0 and 1, along straight lines that are quick to compute.',
  explanation: 'A sigmoid of three straight lines: cheaper, and exactly 0 or 1 far from the middle.',
  attributes: { slope: { title: 'Slope', short: 'slope', hint: 'Of the line in the middle.' } },
};

export const formats: ActivationFormats = (kit) => {
  const slopeOf = (layer: SourceLayer) => kit.numberOf(layer, 'slope');
  const isUsual = (layer: SourceLayer) => Math.abs(slopeOf(layer) - specs.slope.default) < 1e-7;

  return {
    pytorch: {
      call: (layer, [x]) =>
        isUsual(layer)
          ? `F.hardsigmoid(${x})`
          : `torch.clamp(${slopeOf(layer)} * ${kit.operandOf(x)} + 0.5, 0, 1)`,
    },
    keras: (writing) =>
      isUsual(writing.layer)
        ? kit.kerasActivation('hard_sigmoid')(writing)
        : [`ops.clip(${slopeOf(writing.layer)} * ${kit.operandOf(writing.first)} + 0.5, 0, 1)`],
    // Read elsewhere: it may be a part of hard swish.
    onnx: {
      write({ graph, layer, inputs, output }) {
        const attributes = { alpha: { float: slopeOf(layer) }, beta: { float: 0.5 } };
        graph.node('HardSigmoid', inputs, output, attributes);
      },
    },
    tfjs: {
      write(writing) {
        const { graph, layer, inputs } = writing;
        const slope = slopeOf(layer);
        const line =
          slope === IN_TFJS ? inputs[0] : kit.rescaled(writing, inputs[0], slope / IN_TFJS, 'line');
        return graph.add('Activation', layer.name, [line], { activation: 'hard_sigmoid' });
      },
      nonNegative: 'always',
      activations: { hard_sigmoid: { slope: IN_TFJS }, hardSigmoid: { slope: IN_TFJS } },
    },
  };
};
