import { jit, lax, numpy as np, tree, vjp } from '../../peers/libraries/jax.ts';
import type { ConvProblem, Direction } from '../../src/engine/ops/conv/problem.ts';
import { convTensorShape, DIRECTION_TENSORS } from '../../src/engine/ops/conv/run.ts';
import { openJax, timeCalls, TITLE } from '../libraries/jax.ts';
import { inputNumbers, type InputName, type Library } from './peer.ts';

/**
 * jax-js on its WebGPU backend: one jitted convolution, or its derivative by one of its inputs, whose other value is never
 * computed. The layout is PyTorch's, which is its own too. The inputs are on the GPU before the clock starts.
 */
const jax: Library = {
  title: TITLE,

  async open({ problem, direction }) {
    await openJax();
    const [one, other] = DIRECTION_TENSORS[direction].inputs.map((name) => upload(problem, name));
    const compiled = functionOf(problem, direction);
    const convolve = () => compiled(one.ref, other.ref);
    return {
      how: {},

      run: (calls) => timeCalls(convolve, calls),

      async result() {
        return Float32Array.from(await convolve().data());
      },

      close() {
        tree.dispose([one, other]);
        return Promise.resolve();
      },
    };
  },
};

export default jax;

/** Takes the direction's inputs in the order of DIRECTION_TENSORS. */
function functionOf(problem: ConvProblem, direction: Direction) {
  const { stride, padding, dilation, groups } = problem;
  const { top, bottom, left, right } = padding;
  const sides: [number, number][] = [
    [top, bottom],
    [left, right],
  ];
  const options = { rhsDilation: [...dilation], featureGroupCount: groups };
  const convolve = (x: np.Array, w: np.Array) => lax.convGeneralDilated(x, w, [...stride], sides, options);
  const zeros = (name: InputName) => np.zeros([...convTensorShape(problem, name)]);
  const { inputs } = DIRECTION_TENSORS[direction];
  const given = (name: InputName, arrays: readonly np.Array[]) => arrays[inputs.findIndex((n) => n === name)];
  if (direction === 'fprop') {
    return jit((...arrays: [np.Array, np.Array]) => convolve(given('x', arrays), given('w', arrays)));
  }
  return jit((...arrays: [np.Array, np.Array]) => {
    const [y, pull] =
      direction === 'dgrad'
        ? vjp((x: np.Array) => convolve(x, given('w', arrays)), [zeros('x')])
        : vjp((w: np.Array) => convolve(given('x', arrays), w), [zeros('w')]);
    y.dispose();
    const [gradient] = pull(given('dy', arrays)) as [np.Array];
    pull.dispose();
    return gradient;
  });
}

const upload = (problem: ConvProblem, name: InputName): np.Array =>
  np.array(inputNumbers(problem, name)).reshape([...convTensorShape(problem, name)]);
