/**
 * The speed of a device, in the few numbers that predictions need: see cost.ts. They are measured once per adapter, in less
 * than a second, and kept with the tuning results, so that two runs on one machine choose alike. They are rounded
 * coarsely, so that two measurements mostly agree.
 */
import type { Device } from '../gpu/device.ts';
import { Stopwatch, type Encode } from '../gpu/timing.ts';
import { rateFor, type Pace } from './cost.ts';
import { chooseTile } from './gemm/choose-tile.ts';
import { tileWork } from './gemm/tile-time.ts';
import { tileGrid } from './gemm/tiles.ts';
import { planProducts } from './gemm/products.ts';
import { grid, PlanBuilder, type Tensor } from './plan.ts';

/** Rows and columns of the product, bytes of the copy, as large as a layer's tensors. Processors take as long for less. */
const SIZES = { gpu: { product: 2048, copy: 2 ** 24 }, processor: { product: 128, copy: 2 ** 20 } };
const SAMPLES = 9;
/** Milliseconds of a sample, and of all samples of one measurement. */
const [SAMPLE_MS, MOST_MS] = [1, 60];

/** Dispatches one after the other, each of which needs what the one before wrote, and their bytes. */
const CHAIN = 64;
const CHAIN_BYTES = 4096;
/** How much longer a GPU takes between dispatches that fill it: its cores fall idle and start again one by one. */
const FILLING = 1.6;

/** Multiplications in registers: rounds, and workgroups that keep all cores busy. One fills a core. */
const ROUNDS = 512;
const MANY = 2048;

/** Numbers in steps of an eighth of an octave. */
const round = (value: number): number => Number((2 ** (Math.round(8 * Math.log2(value)) / 8)).toPrecision(3));

/** Measures a device that does nothing else. */
export async function measurePace(device: Device): Promise<Pace> {
  const stopwatch = await Stopwatch.create(device);
  try {
    /** Microseconds of the fastest sample: others may have been disturbed. */
    const time = async (add: (plan: PlanBuilder) => void): Promise<number> => {
      const builder = new PlanBuilder(device);
      add(builder);
      const plan = await builder.compile();
      try {
        const encode: Encode = (pass) => plan.encode(pass);
        await stopwatch.settle(encode);
        const options = { samples: SAMPLES, minimumMs: SAMPLE_MS, mostMs: MOST_MS };
        return 1e3 * Math.min(...(await stopwatch.time(encode, options)).samples);
      } finally {
        plan.destroy();
      }
    };
    const sizes = SIZES[device.onProcessor ? 'processor' : 'gpu'];
    const product = await time((plan) => addProduct(plan, sizes.product));
    const copy = await time((plan) => addCopies(plan, sizes.copy, 1));
    const chain = await time((plan) => addCopies(plan, CHAIN_BYTES, CHAIN));
    const cores = device.onProcessor ? 1 : await countCores(time);
    const dispatch = (chain / CHAIN) * (device.onProcessor ? 1 : FILLING);
    const rate = rateOf(device, sizes.product, Math.max(product / 2, product - dispatch), cores);
    return { cores, rate: round(rate), bytes: round((2 * sizes.copy) / copy), dispatch: round(dispatch) };
  } finally {
    stopwatch.destroy();
  }
}

/** As many as compute what one does, in its time. Cores come in pairs. */
async function countCores(time: (add: (plan: PlanBuilder) => void) => Promise<number>): Promise<number> {
  const one = await time((plan) => addArithmetic(plan, 1));
  const many = await time((plan) => addArithmetic(plan, MANY));
  return Math.max(1, 2 * Math.round((MANY * one) / many / 2));
}

const square = (size: number) => ({ M: size, N: size, K: size });

function addProduct(plan: PlanBuilder, size: number): void {
  const tensor = (name: string): Tensor => plan.tensor(name, [size, size]);
  planProducts(plan, 'product', {
    ...square(size),
    a: tensor('a'),
    aAlongK: true,
    b: tensor('b'),
    bAlongK: false,
    c: tensor('c'),
    tile: chooseTile(plan.device, square(size)),
  });
}

function addCopies(plan: PlanBuilder, bytes: number, times: number): void {
  const tensors = ['x', 'y'].map((name) => plan.tensor(name, [bytes / 4]));
  for (let i = 0; i < times; i++) {
    plan.dispatch({
      label: 'copy',
      kernel: { shader: 'profile/copy' },
      tensors: { x: tensors[i % 2], y: tensors[(i + 1) % 2] },
      uniforms: { vectors: bytes / 16 },
      workgroups: grid(bytes / 16, 64),
    });
  }
}

function addArithmetic(plan: PlanBuilder, workgroups: number): void {
  const THREADS = plan.device.limit('maxComputeInvocationsPerWorkgroup');
  plan.dispatch({
    label: 'arithmetic',
    kernel: { shader: 'profile/multiply', constants: { THREADS } },
    tensors: { y: plan.tensor('y', [4 * THREADS * workgroups]) },
    uniforms: { rounds: ROUNDS },
    workgroups: grid(workgroups, 1),
  });
}

/** The rate by which the model predicts the product's time. */
function rateOf(device: Device, size: number, microseconds: number, cores: number): number {
  const tile = chooseTile(device, square(size));
  const [x, y] = tileGrid(tile, square(size));
  return rateFor(device, tileWork(tile, size), x * y, cores, microseconds);
}
