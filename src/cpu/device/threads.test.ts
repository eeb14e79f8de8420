import { expect, test } from 'vitest';
import { openDevice } from '../../gpu/device.ts';
import { Readback } from '../../gpu/readback.ts';
import { nodeCpu } from '../../node/cpu.ts';
import { elementGrid, placedIn, PlanBuilder } from '../../engine/plan.ts';

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
