/** Measured peak performance of this machine: FLOP/s of a large matrix multiplication, bytes/s of a copy. */
import type { Device } from '../../gpu/device.ts';
import { wholeBuffer, type GpuBuffer } from '../../gpu/ledger.ts';
import { spreadOf, type Encode, type Stopwatch } from '../../gpu/timing.ts';
import { chooseWay, planSummedProducts } from '../gemm/products.ts';
import { fill, INPUT_SEEDS } from '../ops/conv/choice/inputs.ts';
import { grid, placed, placedIn, PlanBuilder } from '../plan.ts';
import type { SampledSpread } from './kernels.ts';

export interface Ceilings {
  /** FLOP/s of a multiplication of square matrices of the fastest size, in the fastest sample. */
  product: { size: number; flopPerSecond: number; time: SampledSpread };
  /** Bytes read and written per second by a copy of `bytes`, too large for caches, in the fastest sample. */
  copy: { bytes: number; bytesPerSecond: number; time: SampledSpread };
}

/**
 * Rows and columns: the fastest size counts, because none suits every device. Smaller on software adapters, where a large
 * multiplication would take a minute.
 */
const SIZES = { gpu: [1024, 2048, 4096], software: [128, 256] };
const COPY_BYTES = { gpu: [2 ** 26, 2 ** 28], software: [2 ** 22, 2 ** 24] };
const SAMPLES = 5;

export async function measureCeilings(device: Device, stopwatch: Stopwatch): Promise<Ceilings> {
  const kind = device.onProcessor ? 'software' : 'gpu';
  const products: Ceilings['product'][] = [];
  for (const size of SIZES[kind]) products.push(await ofProduct(device, stopwatch, size));
  // Every device allows buffers of 128 MiB.
  const limit = Math.min(device.limit('maxBufferSize'), device.limit('maxStorageBufferBindingSize'));
  const most = 2 ** Math.floor(Math.log2(limit));
  const copies: Ceilings['copy'][] = [];
  for (const bytes of COPY_BYTES[kind]) copies.push(await ofCopy(device, stopwatch, Math.min(bytes, most)));
  return {
    product: products.reduce((best, one) => (one.flopPerSecond > best.flopPerSecond ? one : best)),
    copy: copies.reduce((best, one) => (one.bytesPerSecond > best.bytesPerSecond ? one : best)),
  };
}

async function ofProduct(device: Device, stopwatch: Stopwatch, size: number): Promise<Ceilings['product']> {
  const sizes = { M: size, N: size, K: size };
  const shape = [size, size];
  return withBuffers(device, { a: 4 * size * size, b: 4 * size * size, c: 4 * size * size }, async (made) => {
    const [a, b, c] = [made.a, made.b, made.c].map((buffer) => placedIn(buffer, shape));
    const inputs = new PlanBuilder(device);
    fill(inputs, a, INPUT_SEEDS.x);
    fill(inputs, b, INPUT_SEEDS.w);
    const builder = new PlanBuilder(device);
    const way = chooseWay(device, sizes, 'f32');
    planSummedProducts(builder, 'ceiling', { ...sizes, ...way, a, aAlongK: true, b, bAlongK: false, c });
    const { time, best } = await timed(stopwatch, inputs, builder);
    return { size, flopPerSecond: (2 * size ** 3) / (best / 1e3), time };
  });
}

async function ofCopy(device: Device, stopwatch: Stopwatch, bytes: number): Promise<Ceilings['copy']> {
  return withBuffers(device, { x: bytes, y: bytes }, async (made) => {
    const [x, y] = [made.x, made.y].map((buffer) => placed(buffer.label, [bytes / 4], wholeBuffer(buffer)));
    const inputs = new PlanBuilder(device);
    fill(inputs, x, INPUT_SEEDS.x);
    const builder = new PlanBuilder(device);
    builder.dispatch({
      label: 'copy',
      kernel: { shader: 'profile/copy' },
      tensors: { x, y },
      uniforms: { vectors: bytes / 16 },
      workgroups: grid(bytes / 16, 64),
    });
    const { time, best } = await timed(stopwatch, inputs, builder);
    return { bytes, bytesPerSecond: (2 * bytes) / (best / 1e3), time };
  });
}

/** @returns milliseconds per run, and those of the fastest sample */
async function timed(
  stopwatch: Stopwatch,
  inputs: PlanBuilder,
  work: PlanBuilder,
): Promise<{ time: SampledSpread; best: number }> {
  const prepare = await inputs.compile();
  const plan = await work.compile();
  try {
    prepare.run();
    const encode: Encode = (pass) => plan.encode(pass);
    await stopwatch.settle(encode);
    const { samples, repetitions } = await stopwatch.time(encode, { samples: SAMPLES, mostMs: 500 });
    const time = { ...spreadOf(samples), samples: samples.length, repetitions };
    return { time, best: Math.min(...samples) };
  } finally {
    prepare.destroy();
    plan.destroy();
  }
}

/** Creates buffers of these sizes, and destroys them after `work`. */
async function withBuffers<N extends string, T>(
  device: Device,
  bytes: Readonly<Record<N, number>>,
  work: (buffers: Record<N, GpuBuffer>) => Promise<T>,
): Promise<T> {
  const made = {} as Record<N, GpuBuffer>;
  try {
    for (const name of Object.keys(bytes) as N[]) {
      made[name] = await device.ledger.storage(`ceiling ${name}`, bytes[name]);
    }
    return await work(made);
  } finally {
    for (const buffer of Object.values<GpuBuffer>(made)) buffer.destroy();
  }
}
