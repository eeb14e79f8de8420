/** LeNet as an ONNX file (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto, whose field numbers these are). */
import type { StateDict } from '../../engine/parameters.ts';
import { encode } from './protobuf.ts';

/** TensorProto.DataType.FLOAT, and AttributeProto's types INT and INTS. */
const [FLOAT, INT, INTS] = [1, 2, 7];
/** Of the intermediate representation, and of the operators. */
const [IR_VERSION, OPSET] = [8, 13];

/** Reads `image`, float32 [1, 1, 28, 28] in 0 to 1; writes `probabilities`, [1, 10]. */
export function leNetFile(weights: StateDict): Uint8Array<ArrayBuffer> {
  const window = { kernel_shape: [2, 2], strides: [2, 2] };
  const withWeights = (input: string, name: string) => [input, `${name}.weight`, `${name}.bias`];
  const nodes = [
    node('Conv', withWeights('image', 'conv1'), 'c1', { kernel_shape: [5, 5], pads: [2, 2, 2, 2] }),
    node('Relu', ['c1'], 'r1'),
    node('MaxPool', ['r1'], 'p1', window),
    node('Conv', withWeights('p1', 'conv2'), 'c2', { kernel_shape: [5, 5] }),
    node('Relu', ['c2'], 'r2'),
    node('MaxPool', ['r2'], 'p2', window),
    node('Flatten', ['p2'], 'flat'),
    node('Gemm', withWeights('flat', 'fc1'), 'f1', { transB: 1 }),
    node('Relu', ['f1'], 'r3'),
    node('Gemm', withWeights('r3', 'fc2'), 'f2', { transB: 1 }),
    node('Relu', ['f2'], 'r4'),
    node('Gemm', withWeights('r4', 'fc3'), 'logits', { transB: 1 }),
    node('Softmax', ['logits'], 'probabilities', { axis: 1 }),
  ];
  const initializers = [...weights].map(([name, { shape, data }]) =>
    encode({ 1: [...shape], 2: FLOAT, 8: name, 9: new Uint8Array(Float32Array.from(data).buffer) }),
  );
  const graph = encode({
    1: nodes,
    2: 'LeNet',
    5: initializers,
    11: value('image', [1, 1, 28, 28]),
    12: value('probabilities', [1, 10]),
  });
  return encode({ 1: IR_VERSION, 2: 'wgrad', 7: graph, 8: encode({ 2: OPSET }) });
}

function node(
  type: string,
  inputs: readonly string[],
  output: string,
  attributes: Readonly<Record<string, number | readonly number[]>> = {},
): Uint8Array {
  const encoded = Object.entries(attributes).map(([name, found]) =>
    typeof found === 'number'
      ? encode({ 1: name, 3: found, 20: INT })
      : encode({ 1: name, 8: found, 20: INTS }),
  );
  return encode({ 1: [...inputs], 2: output, 3: output, 4: type, 5: encoded });
}

function value(name: string, shape: readonly number[]): Uint8Array {
  const dimensions = shape.map((size) => encode({ 1: size }));
  const tensor = encode({ 1: FLOAT, 2: encode({ 1: dimensions }) });
  return encode({ 1: name, 2: encode({ 1: tensor }) });
}
