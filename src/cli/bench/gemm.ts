import { fromHalf, toHalf } from '../../base/half.ts';
import { Random } from '../../base/random.ts';
import { chooseWay, planSummedProducts, wayName, type ProductWay } from '../../engine/gemm/products.ts';
import type { Tile } from '../../engine/gemm/tiles.ts';
import { placedIn, PlanBuilder, type NumberType } from '../../engine/plan.ts';
import type { Device } from '../../gpu/device.ts';
import { Readback } from '../../gpu/readback.ts';
import { spreadOf, timeWork } from '../../gpu/timing.ts';
import { timingColumns } from './report.ts';

/** Entries of the product that are checked against float64. */
const CHECKED = 256;

/** Two square matrices row by row: float32, or the bits of float16. */
export interface Factors {
  size: number;
  a: Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>;
  b: Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>;
}

/** @param number how they are stored; their product is float32 */
export function randomFactors(size: number, number: NumberType): Factors {
  const random = new Random(1, 'gemm');
  const values = () => Float32Array.from({ length: size * size }, () => random.uniform(-1, 1));
  const stored = () => (number === 'f16' ? Uint16Array.from(values(), toHalf) : values());
  return { size, a: stored(), b: stored() };
}

/** C = A B on the GPU. */
export async function openProduct(device: Device, { size, a, b }: Factors, way: ProductWay) {
  const number = a instanceof Uint16Array ? 'f16' : 'f32';
  const buffers = [await device.ledger.upload('a', a), await device.ledger.upload('b', b)];
  const c = await device.ledger.storage('c', size * size * 4);
  const builder = new PlanBuilder(device);
  const out = placedIn(c, [size, size]);
  planSummedProducts(builder, `gemm ${size}`, {
    M: size,
    N: size,
    K: size,
    aAlongK: true,
    bAlongK: false,
    ...way,
    a: placedIn(buffers[0], [size, size], number),
    b: placedIn(buffers[1], [size, size], number),
    c: out,
  });
  const plan = await builder.compile();
  const readback = new Readback(device);
  return {
    plan,
    /** C, row by row, after the last run. */
    read: () => readback.floats(plan.rangeOf(out)),
    destroy() {
      readback.destroy();
      plan.destroy();
      for (const buffer of [...buffers, c]) buffer.destroy();
    },
  };
}

/** Times a product and checks some entries. @param tile default: the one predicted to be fastest */
export async function benchGemm(device: Device, factors: Factors, samples: number, tile?: Tile) {
  const { size, a, b } = factors;
  const number: NumberType = a instanceof Uint16Array ? 'f16' : 'f32';
  const way = chooseWay(device, { M: size, N: size, K: size }, number, tile);
  const product = await openProduct(device, factors, way);
  try {
    const timing = await timeWork(device, (pass) => product.plan.encode(pass), { samples });
    const error = sampledError(floatsOf(a), floatsOf(b), await product.read(), size);
    const spread = { ...timing, ...spreadOf(timing.samples), samples: timing.samples.length };
    return { size, number, tile: wayName(way), ...timingColumns(spread, 2 * size ** 3), error };
  } finally {
    product.destroy();
  }
}

type At = (i: number) => number;

/** Reads a value: few of a large matrix are needed. */
const floatsOf = (values: Float32Array | Uint16Array): At =>
  values instanceof Uint16Array ? (i) => fromHalf(values[i]) : (i) => values[i];

function sampledError(a: At, b: At, c: Float32Array, size: number): number {
  const random = new Random(1, 'checked');
  let largest = 0;
  let worst = 0;
  for (let n = 0; n < CHECKED; n++) {
    const [i, j] = [random.below(size), random.below(size)];
    let sum = 0;
    for (let k = 0; k < size; k++) sum += a(i * size + k) * b(k * size + j);
    const difference = Math.abs(sum - c[i * size + j]);
    worst = Number.isFinite(difference) ? Math.max(worst, difference) : Infinity;
    largest = Math.max(largest, Math.abs(sum));
  }
  return worst / largest;
}
