import { tf } from '../../peers/libraries/tfjs.ts';
import type { ConvProblem, Direction } from '../../src/engine/ops/conv/problem.ts';
import { convTensorShape, DIRECTION_TENSORS } from '../../src/engine/ops/conv/run.ts';
import { openTfjs, timeCalls, TITLE } from '../libraries/tfjs.ts';
import { inputNumbers, type InputName, type Library } from './peer.ts';

/** PyTorch's layout to TensorFlow's and back: channels last, filters R S C K. */
const ORDERS = {
  images: { to: [0, 2, 3, 1], from: [0, 3, 1, 2] },
  filters: { to: [2, 3, 1, 0], from: [3, 2, 0, 1] },
} as const;

const orderOf = (name: string) => ORDERS[name === 'w' || name === 'dw' ? 'filters' : 'images'];

/** The kernels behind tf.conv2d and its gradients, with their names for the inputs. */
const KERNELS = {
  fprop: { kernel: tf.Conv2D, x: 'x', w: 'filter' },
  dgrad: { kernel: tf.Conv2DBackpropInput, dy: 'dy', w: 'filter' },
  wgrad: { kernel: tf.Conv2DBackpropFilter, x: 'x', dy: 'dy' },
} as const;

/**
 * TensorFlow.js on its WebGPU backend: the kernels that its convolution and its gradients run, called without anything
 * around them, in the layout that it wants. The inputs are on the GPU before the clock starts.
 */
const tfjs: Library = {
  title: TITLE,

  async open({ problem, direction }) {
    await openTfjs();
    const { inputs, output } = DIRECTION_TENSORS[direction];
    const names: Readonly<Partial<Record<InputName, string>>> = KERNELS[direction];
    const tensors: Record<string, tf.Tensor> = {};
    for (const name of inputs) tensors[names[name] as string] = upload(problem, name);
    const { kernel } = KERNELS[direction];
    const attributes = attributesOf(problem, direction);
    const convolve = () => tf.engine().runKernel(kernel, tensors, attributes) as tf.Tensor4D;
    return {
      how: { kernel },

      run: (calls) => timeCalls(convolve, calls),

      async result() {
        const numbers = tf.tidy(() => tf.transpose(convolve(), [...orderOf(output).from]));
        const data = Float32Array.from(await numbers.data());
        numbers.dispose();
        return data;
      },

      close() {
        tf.dispose(tensors);
        return Promise.resolve();
      },
    };
  },
};

export default tfjs;

function attributesOf(problem: ConvProblem, direction: Direction) {
  const { stride, padding, dilation, groups, N, C, H, W, K, R, S } = problem;
  if (groups !== 1 || dilation.some((one) => one !== 1)) {
    throw new Error('TensorFlow.js has no gradients of convolutions with groups or dilation');
  }
  const { top, bottom, left, right } = padding;
  const none = [0, 0];
  const attributes = {
    strides: [...stride],
    pad: [none, [top, bottom], [left, right], none],
    dataFormat: 'NHWC',
  };
  return {
    fprop: { ...attributes, dilations: [...dilation] },
    dgrad: { ...attributes, inputShape: [N, H, W, C] },
    wgrad: { ...attributes, filterShape: [R, S, C, K] },
  }[direction];
}

function upload(problem: ConvProblem, name: InputName): tf.Tensor {
  const shape = [...convTensorShape(problem, name)];
  return tf.tidy(() => tf.transpose(tf.tensor(inputNumbers(problem, name), shape), [...orderOf(name).to]));
}
