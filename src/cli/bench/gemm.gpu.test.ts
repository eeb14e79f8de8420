import { expect, test } from 'vitest';
import { CPU_TILES } from '../../engine/gemm/tiles.ts';
import { expectExact } from '../../engine/testing/check.ts';
import { integers } from '../../engine/testing/fixtures.ts';
import { testDevice } from '../../engine/testing/gpu.ts';
import { openProduct, readProductSize } from './gemm.ts';

/** Large GPUs cut long sums into slices, which a second dispatch adds up. */
test.each([
  ['96', 1],
  ['96', 2],
  ['96', 3],
  ['64x24x40', 1],
  ['7x13x5', 1],
  ['1x1x1', 1],
])('a product of %s in %i slices is read back', async (text, slices) => {
  const size = readProductSize(text);
  const { M, N, K } = size;
  const [{ data: a }, { data: b }] = [integers(1, [M, K]), integers(2, [K, N])];
  const product = await openProduct(await testDevice(), { ...size, a, b }, { tile: CPU_TILES[0], slices });
  try {
    product.plan.run();
    const expected = Float64Array.from({ length: M * N }, (_, at) => {
      let sum = 0;
      for (let k = 0; k < K; k++) sum += a[Math.floor(at / N) * K + k] * b[k * N + (at % N)];
      return sum;
    });
    expectExact('product', await product.read(), expected);
  } finally {
    product.destroy();
  }
});

test('other sizes are refused', () => {
  for (const text of ['0', '8x8', 'axbxc', '1x2x3x4', '20000'])
    expect(() => readProductSize(text)).toThrow(/--size: expected N or MxNxK/);
});
