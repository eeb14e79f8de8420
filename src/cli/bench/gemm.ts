import { fromHalf, toHalf } from '../../base/half.ts';
import { Random } from '../../base/random.ts';
import { Failure } from '../../base/result.ts';
import {
  chooseWay,
  planSummedProducts,
  toFour,
  wayName,
  type ProductWay,
} from '../../engine/gemm/products.ts';
import type { ProductSize, Tile } from '../../engine/gemm/tiles.ts';
import { placedIn, PlanBuilder, type NumberType } from '../../engine/plan.ts';
import type { Device } from '../../gpu/device.ts';
import { Readback } from '../../gpu/readback.ts';
import { spreadOf, timeWork } from '../../gpu/timing.ts';
import { timingColumns } from './report.ts';

/** Entries of the product that are checked against float64. */
const CHECKED = 256;

/** @throws Failure `bad-input` unless it is N, or MxNxK */
export function readProductSize(text: string): ProductSize {
  const sizes = text.split('x').map((part) => (/^\d{1,5}$/.test(part) ? Number(part) : NaN));
  const [M, N = M, K = M] = sizes;
  if (![1, 3].includes(sizes.length) || !sizes.every((size) => size >= 1 && size <= LARGEST))
    throw new Failure(
      'bad-input',
      `--size: expected N or MxNxK, whole numbers from 1 to ${LARGEST}, found ${text}`,
    );
  return { M, N, K };
}

const LARGEST = 16384;

/** Two matrices row by row, M x K and K x N: float32, or the bits of float16. */
export interface Factors extends ProductSize {
  a: Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>;
  b: Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>;
}

/** @param number how they are stored; their product is float32 */
export function randomFactors({ M, N, K }: ProductSize, number: NumberType): Factors {
  const random = new Random(1, 'gemm');
  const values = (count: number) => Float32Array.from({ length: count }, () => random.uniform(-1, 1));
  const stored = (count: number) =>
    number === 'f16' ? Uint16Array.from(values(count), toHalf) : values(count);
  return { M, N, K, a: stored(M * K), b: stored(K * N) };
}

/** The rows of a matrix at the distance that products expect: a multiple of four. */
function spaced<Values extends Factors['a']>(values: Values, columns: number): Values {
  const pitch = toFour(columns);
  if (pitch === columns) return values;
  const rows = values.length / columns;
  const result = (
    values instanceof Uint16Array ? new Uint16Array(rows * pitch) : new Float32Array(rows * pitch)
  ) as Values;
  for (let row = 0; row < rows; row++)
    result.set(values.subarray(row * columns, (row + 1) * columns), row * pitch);
  return result;
}

/** C = A B on the GPU. */
export async function openProduct(device: Device, { M, N, K, a, b }: Factors, way: ProductWay) {
  const number = a instanceof Uint16Array ? 'f16' : 'f32';
  const [columns, terms] = [toFour(N), toFour(K)];
  const buffers = [
    await device.ledger.upload('a', spaced(a, K)),
    await device.ledger.upload('b', spaced(b, N)),
  ];
  const c = await device.ledger.storage('c', M * columns * 4);
  const builder = new PlanBuilder(device);
  const out = placedIn(c, [M, columns]);
  planSummedProducts(builder, `gemm ${M} x ${N} x ${K}`, {
    M,
    N,
    K,
    aAlongK: true,
    bAlongK: false,
    ...way,
    a: placedIn(buffers[0], [M, terms], number),
    b: placedIn(buffers[1], [K, columns], number),
    c: out,
  });
  const plan = await builder.compile();
  const readback = new Readback(device);
  return {
    plan,
    /** C, row by row, after the last run. */
    async read(): Promise<Float32Array> {
      const found = await readback.floats(plan.rangeOf(out));
      if (columns === N) return found;
      return Float32Array.from({ length: M * N }, (_, at) => found[Math.floor(at / N) * columns + (at % N)]);
    },
    destroy() {
      readback.destroy();
      plan.destroy();
      for (const buffer of [...buffers, c]) buffer.destroy();
    },
  };
}

/** Times a product and checks some entries. @param tile default: the one predicted to be fastest */
export async function benchGemm(device: Device, factors: Factors, samples: number, tile?: Tile) {
  const { M, N, K, a, b } = factors;
  const number: NumberType = a instanceof Uint16Array ? 'f16' : 'f32';
  const way = chooseWay(device, { M, N, K }, number, tile);
  const product = await openProduct(device, factors, way);
  try {
    const timing = await timeWork(device, (pass) => product.plan.encode(pass), { samples });
    const error = sampledError(floatsOf(a), floatsOf(b), await product.read(), factors);
    const spread = { ...timing, ...spreadOf(timing.samples), samples: timing.samples.length };
    const size = M === N && N === K ? { size: M } : { size: `${M}x${N}x${K}` };
    return { ...size, number, tile: wayName(way), ...timingColumns(spread, 2 * M * N * K), error };
  } finally {
    product.destroy();
  }
}

type At = (i: number) => number;

/** Reads a value: few of a large matrix are needed. */
const floatsOf = (values: Float32Array | Uint16Array): At =>
  values instanceof Uint16Array ? (i) => fromHalf(values[i]) : (i) => values[i];

function sampledError(a: At, b: At, c: Float32Array, { M, N, K }: ProductSize): number {
  const random = new Random(1, 'checked');
  let largest = 0;
  let worst = 0;
  for (let n = 0; n < CHECKED; n++) {
    const [i, j] = [random.below(M), random.below(N)];
    let sum = 0;
    for (let k = 0; k < K; k++) sum += a(i * K + k) * b(k * N + j);
    const difference = Math.abs(sum - c[i * N + j]);
    worst = Number.isFinite(difference) ? Math.max(worst, difference) : Infinity;
    largest = Math.max(largest, Math.abs(sum));
  }
  return worst / largest;
}
