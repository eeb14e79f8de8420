import { openProduct } from '../../src/cli/bench/gemm.ts';
import { chooseWay, wayName } from '../../src/engine/gemm/products.ts';
import { openDevice } from '../../src/gpu/device.ts';
import { timeCalls, TITLE } from '../libraries/wgrad.ts';
import { inputNumbers, type Library } from './peer.ts';

/** wgrad, by the tile and slices that it would choose. */
const wgrad: Library = {
  title: TITLE,

  async open(task) {
    const { size } = task;
    const device = await openDevice(navigator.gpu);
    const way = chooseWay(device, { M: size, N: size, K: size }, 'f32');
    const factors = { M: size, N: size, K: size, a: inputNumbers(task, 'a'), b: inputNumbers(task, 'b') };
    const product = await openProduct(device, factors, way);
    return {
      how: { tile: wayName(way) },
      run: (calls) => timeCalls(device, product.plan, calls),

      result() {
        product.plan.run();
        return product.read();
      },

      close() {
        product.destroy();
        device.destroy();
        return Promise.resolve();
      },
    };
  },
};

export default wgrad;
