import { tf } from '../../peers/libraries/tfjs.ts';
import { openTfjs, timeCalls, TITLE } from '../libraries/tfjs.ts';
import { inputNumbers, type Library } from './peer.ts';

/** TensorFlow.js on its WebGPU backend: `tf.matMul` of two tensors that are on the GPU before the clock starts. */
const tfjs: Library = {
  title: TITLE,

  async open(task) {
    await openTfjs();
    const upload = (name: 'a' | 'b') => tf.tensor2d(inputNumbers(task, name), [task.size, task.size]);
    const [a, b] = [upload('a'), upload('b')];
    const multiply = () => tf.matMul(a, b);
    return {
      how: { function: 'tf.matMul' },
      run: (calls) => timeCalls(multiply, calls),

      async result() {
        const product = multiply();
        const data = Float32Array.from(await product.data());
        product.dispose();
        return data;
      },

      close() {
        tf.dispose([a, b]);
        return Promise.resolve();
      },
    };
  },
};

export default tfjs;
