import { test } from 'vitest';
import { CPU_TILES } from '../../engine/gemm/tiles.ts';
import { expectExact } from '../../engine/testing/check.ts';
import { integers } from '../../engine/testing/fixtures.ts';
import { testDevice } from '../../engine/testing/gpu.ts';
import { openProduct } from './gemm.ts';

/** Large GPUs cut long sums into slices, which a second dispatch adds up. */
test.each([1, 2, 3])('a product in %i slices is read back', async (slices) => {
  const size = 96;
  const [{ data: a }, { data: b }] = [integers(1, [size, size]), integers(2, [size, size])];
  const product = await openProduct(await testDevice(), { size, a, b }, { tile: CPU_TILES[0], slices });
  try {
    product.plan.run();
    const expected = Float64Array.from({ length: size * size }, (_, at) => {
      let sum = 0;
      for (let k = 0; k < size; k++) sum += a[Math.floor(at / size) * size + k] * b[k * size + (at % size)];
      return sum;
    });
    expectExact('product', await product.read(), expected);
  } finally {
    product.destroy();
  }
});
