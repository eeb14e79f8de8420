/** A matrix product, C = A B, of matrices that lie in memory row by row. */
import { owning } from '../../base/owned.ts';
import { chooseWay, planSummedProducts } from '../../engine/gemm/products.ts';
import { placedIn, PlanBuilder } from '../../engine/plan.ts';
import type { Device } from '../../gpu/device.ts';
import type { KernelTask, OpenWork } from '../lesson.ts';
import { randomNumbers } from '../numbers.ts';

/** A is M x K, B is K x N. */
export interface MatrixSizes {
  M: number;
  N: number;
  K: number;
}

export const product: KernelTask<MatrixSizes> = {
  inputs: ({ M, N, K }) => [
    { name: 'a', shape: [M, K] },
    { name: 'b', shape: [K, N] },
  ],
  output: ({ M, N }) => ({ name: 'c', shape: [M, N] }),
  dimensions: ['row', 'column'],
  constants: ({ M, N, K }) => ({ M, N, K }),
  reference: ({ M, N, K }, [a, b]) => {
    const c = new Float64Array(M * N);
    for (let row = 0; row < M; row++)
      for (let k = 0; k < K; k++)
        for (let column = 0; column < N; column++) c[row * N + column] += a[row * K + k] * b[k * N + column];
    return c;
  },
  sum: ({ K }) => ({ terms: K }),
  products: ({ M, N, K }) => M * N * K,
};

/** wgrad's own kernel, for sizes that are multiples of four. */
export const openProduct = (device: Device, { M, N, K }: MatrixSizes): Promise<OpenWork> =>
  owning(async (owned) => {
    const { own } = owned;
    const { ledger } = device;
    const [a, b] = [
      own(await ledger.upload('a', randomNumbers('a', M * K))),
      own(await ledger.upload('b', randomNumbers('b', K * N))),
    ];
    const c = own(await ledger.storage('c', M * N * 4));
    const builder = new PlanBuilder(device);
    planSummedProducts(builder, 'product', {
      M,
      N,
      K,
      aAlongK: true,
      bAlongK: false,
      ...chooseWay(device, { M, N, K }, 'f32'),
      a: placedIn(a, [M, K]),
      b: placedIn(b, [K, N]),
      c: placedIn(c, [M, N]),
    });
    return { plan: own(await builder.compile()), destroy: () => owned.destroy() };
  });

/** Those of both lessons on products. */
export const PRODUCT_TESTS: readonly MatrixSizes[] = [
  { M: 1, N: 1, K: 1 },
  { M: 2, N: 3, K: 4 },
  { M: 16, N: 16, K: 16 },
  { M: 17, N: 15, K: 33 },
  { M: 1, N: 70, K: 5 },
  { M: 65, N: 1, K: 31 },
  { M: 63, N: 65, K: 129 },
];

/** @returns the columns and rows of C */
export const columnsAndRows = ({ M, N }: MatrixSizes) => [N, M, 1] as const;
