import { kerasLayer, stateless, type Formats } from '../formats.ts';
import { operator } from '../onnx.ts';
import { elementwise, type KerasReader } from '../keras.ts';
import { kerasClass } from '../tfjs.ts';

/** With a largest value, it is clipping. */
const read: KerasReader = (network, layer) => {
  for (const name of ['negative_slope', 'threshold']) {
    const found = layer.config.number(name, 0);
    if (found !== 0) throw network.unsupported(layer, `expected no ${name}, found ${found}`);
  }
  const max = layer.config.number('max_value', Infinity);
  const reader = max === Infinity ? elementwise('relu') : elementwise('clip', () => ({ min: 0, max }));
  return reader(network, layer);
};

export default {
  op: 'relu',
  pytorch: stateless('ReLU', 'F.relu'),
  keras: kerasLayer('ReLU'),
  onnx: operator('relu', 'Relu'),
  tfjs: { write: kerasClass('ReLU'), nonNegative: 'always', activations: { relu: {} }, read: { ReLU: read } },
} satisfies Formats;
