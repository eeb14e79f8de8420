import type {
  Activation,
  ActivationAbout,
  ActivationFormats,
  ActivationReference,
  Tolerance,
} from '../activation.ts';
import { MOST, number } from '../attributes.ts';
import type { SourceLayer } from '../layer.ts';

const attributes = { min: number(0), max: number(6) };

/**
 * x, but at least min and at most max: PyTorch's nn.Hardtanh, by default its nn.ReLU6. As there, the slope at both ends is
 * 0. Where min is not below max, what is at most min gives min, and the rest max.
 */
const clip: Activation<typeof attributes> = { title: 'Clip (ReLU6)', attributes };

export default clip;

export const reference: ActivationReference<typeof attributes> = ({ min, max }) => ({
  value: (x) => (x <= min ? min : x >= max ? max : x),
  slope: (x) => (x <= min || x >= max ? 0 : 1),
});

export const tolerance: Tolerance<typeof attributes> = { relative: 2e-7 };

export const about: ActivationAbout = {
  stem: 'clip',
  everyday: 'Keeps every number within two limits.',
  explanation: 'Limits every number to a range: by default from 0 to 6, a ReLU that cannot grow without end.',
  attributes: {
    min: { title: 'Minimum', hint: 'Lower numbers become this one.' },
    max: { title: 'Maximum', hint: 'Higher numbers become this one.' },
  },
};

export const formats: ActivationFormats = (kit) => {
  const rangeOf = (layer: SourceLayer) => [kit.numberOf(layer, 'min'), kit.numberOf(layer, 'max')] as const;
  /** PyTorch has a name of its own for the range from 0 to 6. */
  const called = (layer: SourceLayer, six: string, other: string, first: string[] = []): string => {
    const [min, max] = rangeOf(layer);
    return min === 0 && max === 6
      ? `${six}(${first.join()})`
      : `${other}(${[...first, min, max].join(', ')})`;
  };

  return {
    pytorch: {
      module: (layer) => [called(layer, 'nn.ReLU6', 'nn.Hardtanh')],
      call: (layer, [first]) => called(layer, 'F.relu6', 'F.hardtanh', [first]),
    },
    keras: ({ layer, first, simple }) => {
      const [min, max] = rangeOf(layer);
      if (min === 0) return simple('ReLU', [['max_value', String(max), '']]);
      return [`ops.clip(${first}, ${min}, ${max})`];
    },
    onnx: {
      write({ graph, layer, inputs: [input], output }) {
        const limits = rangeOf(layer).map((limit, i) =>
          graph.tensor(`${layer.name}/${['min', 'max'][i]}`, [], Float32Array.of(limit)),
        );
        graph.node('Clip', [input, ...limits], output);
      },
      read: {
        // Its limits were attributes until version 11 of the operators.
        Clip(network, node) {
          const min = network.numberInput(node, 1) ?? kit.realOf(node, 'min', -MOST);
          const max = network.numberInput(node, 2) ?? kit.realOf(node, 'max', MOST);
          const of = [network.source(node)];
          if (min === 0 && max >= MOST) network.add(node, 'relu', of);
          else network.add(node, 'clip', of, { min: Math.max(min, -MOST), max: Math.min(max, MOST) });
          return true;
        },
      },
    },
    tfjs: {
      write({ graph, layer, inputs }) {
        const [min, max] = rangeOf(layer);
        if (min !== 0) throw kit.notInTfjs(layer, `it clips at ${min}, and a ReLU of Keras at 0`);
        return graph.add('ReLU', layer.name, inputs, { max_value: max });
      },
      activations: { relu6: { min: 0, max: 6 } },
    },
  };
};
