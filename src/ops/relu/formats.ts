import { kerasLayer, stateless, type Formats } from '../formats.ts';
import { operator } from '../onnx.ts';
import { kerasClass } from '../tfjs.ts';

export default {
  op: 'relu',
  pytorch: stateless('ReLU', 'F.relu'),
  keras: kerasLayer('ReLU'),
  onnx: operator('relu', 'Relu'),
  tfjs: { write: kerasClass('ReLU'), nonNegative: 'always', activations: { relu: {} } },
} satisfies Formats;
