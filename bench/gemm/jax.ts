import { jit, numpy as np, tree } from '../../peers/libraries/jax.ts';
import { openJax, timeCalls, TITLE } from '../libraries/jax.ts';
import { inputNumbers, type Library } from './peer.ts';

/** jax-js on its WebGPU backend: `np.matmul`, jitted, of two arrays that are on the GPU before the clock starts. */
const jax: Library = {
  title: TITLE,

  async open(task) {
    await openJax();
    const upload = (name: 'a' | 'b') => np.array(inputNumbers(task, name)).reshape([task.size, task.size]);
    const [a, b] = [upload('a'), upload('b')];
    const compiled = jit((one: np.Array, other: np.Array) => np.matmul(one, other));
    const multiply = () => compiled(a.ref, b.ref);
    return {
      how: { function: 'jit(np.matmul)' },
      run: (calls) => timeCalls(multiply, calls),

      async result() {
        return Float32Array.from(await multiply().data());
      },

      close() {
        tree.dispose([a, b]);
        return Promise.resolve();
      },
    };
  },
};

export default jax;
