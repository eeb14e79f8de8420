import { normalCdf, normalDensity } from '../../base/normal.ts';
import { sigmoid } from '../../base/sigmoid.ts';
import type {
  Activation,
  ActivationAbout,
  ActivationFormats,
  ActivationReference,
  Elementwise,
  Tolerance,
} from '../activation.ts';
import { choice } from '../attributes.ts';
import type { SourceLayer } from '../layer.ts';

const specs = { approximate: choice('none', 'tanh') };

const SCALE = Math.sqrt(2 / Math.PI);
const CUBIC = 0.044715;

/** (1 + tanh(u)) / 2 = sigmoid(2 u), whose small values keep all their digits. */
const byTanh: Elementwise = {
  value: (x) => x * sigmoid.value(2 * SCALE * (x + CUBIC * x ** 3)),
  slope(x) {
    const u = 2 * SCALE * (x + CUBIC * x ** 3);
    return sigmoid.value(u) + x * sigmoid.slope(u) * 2 * SCALE * (1 + 3 * CUBIC * x * x);
  },
};

/**
 * x times the probability that a standard normal variable is below x: PyTorch's nn.GELU. As there, NaN for negative
 * infinity. `tanh` approximates the normal distribution by a hyperbolic tangent, up to 5e-4 off.
 */
const gelu: Activation<typeof specs> = {
  title: 'GELU',
  attributes: specs,
  constants: ({ approximate }) => ({ TANH: approximate === 'tanh' }),
};

export default gelu;

export const reference: ActivationReference<typeof specs> = ({ approximate }) =>
  approximate === 'tanh'
    ? byTanh
    : { value: (x) => x * normalCdf(x), slope: (x) => normalCdf(x) + x * normalDensity(x) };

export const tolerance: Tolerance<typeof specs> = { relative: 5e-7, absolute: 1e-7 };

export const about: ActivationAbout = {
  everyday: 'Keeps what is above zero and drops the rest, with a rounded corner between.',
  explanation: 'A smooth ReLU: x · Φ(x), with Φ the standard normal CDF.',
  attributes: { approximate: { title: 'Approximation', hint: 'Exact, or the tanh approximation.' } },
};

const isTanh = ({ attributes }: SourceLayer) => attributes['approximate'] === 'tanh';

export const formats: ActivationFormats = (kit) => ({
  pytorch: kit.stateless('GELU', 'F.gelu', kit.attributeArguments(specs)),
  keras: (writing) =>
    isTanh(writing.layer)
      ? [`ops.gelu(${writing.first}, approximate=True)`]
      : kit.kerasActivation('gelu')(writing),
  onnx: {
    write({ graph, layer, inputs, output }) {
      graph.node('Gelu', inputs, output, { approximate: isTanh(layer) ? 'tanh' : 'none' });
    },
    read: {
      Gelu(network, node) {
        const approximate = kit.wordOf(node, 'approximate', 'none');
        network.add(node, 'gelu', [network.source(node)], { approximate });
        return true;
      },
    },
  },
  tfjs: {
    write(writing) {
      const { graph, layer, inputs } = writing;
      if (!isTanh(layer)) return kit.activationLayer('gelu')(writing);
      // x sigmoid(2 sqrt(2 / pi) (x + 0.044715 x^3)), which is the same as with tanh.
      const [x] = inputs;
      const part = kit.rescaled(writing, x, CUBIC, 'part');
      const square = graph.add('Multiply', `${layer.name}_square`, [x, part]);
      const cube = graph.add('Multiply', `${layer.name}_cube`, [square, x]);
      const sum = graph.add('Add', `${layer.name}_sum`, [x, cube]);
      const scaled = kit.rescaled(writing, sum, 2 * SCALE, 'scaled');
      const gate = graph.add('Activation', `${layer.name}_gate`, [scaled], { activation: 'sigmoid' });
      return graph.add('Multiply', layer.name, [x, gate]);
    },
    activations: { gelu: {}, gelu_new: { approximate: 'tanh' } },
  },
});
