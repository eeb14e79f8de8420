import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { openDevice } from '../../gpu/device.ts';
import { Readback } from '../../gpu/readback.ts';
import { nodeCpu } from '../../node/cpu.ts';
import { elementGrid, placedIn, PlanBuilder } from '../../engine/plan.ts';
import { compileKernel } from '../compile/kernel.ts';
import { Memory } from './memory.ts';
import { CpuPipeline } from './pipeline.ts';
import { computeAlike, Threads, type HelperMessage } from './threads.ts';

const COUNT = 200_003;

/** GELU of many numbers, several times over. */
async function outputs(threads: number): Promise<Float32Array[]> {
  process.env['WGRAD_THREADS'] = String(threads);
  const device = await openDevice(nodeCpu());
  expect(device.adapter.description).toBe(
    threads === 1 ? 'CPU (WebAssembly, one thread)' : `CPU (WebAssembly, ${threads} threads)`,
  );
  const x = await device.ledger.upload(
    'x',
    Float32Array.from({ length: COUNT }, (_, i) => Math.sin(i) * 4),
  );
  const y = await device.ledger.storage('y', 4 * COUNT);
  const plan = new PlanBuilder(device);
  plan.dispatch({
    label: 'gelu',
    kernel: { shader: 'activation/forward:gelu' },
    tensors: { x: placedIn(x, [COUNT]), y: placedIn(y, [COUNT]) },
    uniforms: { count: COUNT },
    workgroups: elementGrid(COUNT),
  });
  const compiled = await plan.compile();
  const readback = new Readback(device);
  const found: Float32Array[] = [];
  for (let i = 0; i < 5; i++) {
    device.queue.writeBuffer(y.raw, 0, new Float32Array(COUNT).fill(Number.NaN));
    compiled.run();
    found.push(await readback.floats({ buffer: y, offset: 0, bytes: 4 * COUNT }));
  }
  device.destroy();
  return found;
}

test('more threads compute the same bits, each time', async () => {
  const [expected] = await outputs(1);
  expect(expected.every(Number.isFinite)).toBe(true);
  for (const found of [...(await outputs(2)), ...(await outputs(5))]) {
    expect(found.every((value, i) => value === expected[i])).toBe(true);
  }
  delete process.env['WGRAD_THREADS'];
});

test('adapters that differ in their threads alone compute alike', () => {
  const [one, two] = ['CPU (WebAssembly, one thread)', 'CPU (WebAssembly, 12 threads)'];
  expect(computeAlike(one, two)).toBe(true);
  expect(computeAlike('SwiftShader (software)', two)).toBe(false);
  expect(computeAlike('NVIDIA H200 (driver 570.1)', 'NVIDIA H200 (driver 570.2)')).toBe(false);
});

/** Collects garbage. */
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

test('unused kernels make room for others in every thread', async () => {
  const memory = new Memory(true);
  const sent: HelperMessage[] = [];
  const threads = new Threads(memory, 3, () => ({
    send: (message) => void sent.push(message),
    stop: () => undefined,
  }));
  const compiled = compileKernel('@compute @workgroup_size(1) fn main() {}', true);
  const kept = await CpuPipeline.create(compiled, memory);
  threads.add(kept);
  const ids = () => new Set(sent.flatMap((message) => (message.kind === 'kernel' ? [message.id] : [])));
  for (let round = 0; round < 20; round++) {
    sent.length = 0;
    for (let i = 0; i < 10; i++) threads.add(await CpuPipeline.create(compiled, memory));
    expect(ids().size).toBe(10);
    expect(ids().has(0)).toBe(false);
    collect();
    // The numbers are free when those who finalise had their turn.
    await new Promise((done) => setTimeout(done, 5));
  }
  expect(Math.max(...ids())).toBeLessThan(40);
  expect(kept.compiled).toBe(compiled);
});
