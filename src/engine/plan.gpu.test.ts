import { describe, expect, test, vi } from 'vitest';
import type { GpuBuffer } from '../gpu/ledger.ts';
import { Readback } from '../gpu/readback.ts';
import { grid, placedIn, PlanBuilder, type Plan, type Tensor } from './plan.ts';
import { testDevice } from './testing/gpu.ts';

const relu = (plan: PlanBuilder, x: Tensor, y: Tensor, count: number) =>
  plan.dispatch({
    label: 'relu',
    kernel: { shader: 'relu/forward' },
    tensors: { x, y },
    uniforms: { count },
    workgroups: grid(count, 64),
  });

describe('a plan that does not compile leaves no buffer behind', () => {
  test.each<[string, RegExp, (plan: PlanBuilder) => void]>([
    [
      'a tensor by a wrong name',
      /binds x, y; mismatch at y, z/,
      (plan) =>
        plan.dispatch({
          label: 'wrong',
          kernel: { shader: 'relu/forward' },
          tensors: { x: plan.tensor('x', [4]), z: plan.tensor('z', [4]) },
          uniforms: { count: 4 },
          workgroups: [1, 1, 1],
        }),
    ],
    [
      'a uniform that is missing',
      /needs a number for uniform count/,
      (plan) =>
        plan.dispatch({
          label: 'wrong',
          kernel: { shader: 'relu/forward' },
          tensors: { x: plan.tensor('x', [4]), y: plan.tensor('y', [4]) },
          workgroups: [1, 1, 1],
        }),
    ],
    [
      'more workgroups than the device allows',
      /^wide needs 65536 x 1 x 1 workgroups; this device allows 1 to 65535 in each dimension$/,
      (plan) =>
        plan.dispatch({
          label: 'wide',
          kernel: { shader: 'relu/forward' },
          tensors: { x: plan.tensor('x', [4]), y: plan.tensor('y', [4]) },
          uniforms: { count: 4 },
          workgroups: [65536, 1, 1],
        }),
    ],
    [
      'more memory than there is',
      /this device allows/,
      (plan) => {
        const count = plan.device.limit('maxBufferSize') / 4 + 64;
        relu(plan, plan.tensor('x', [4]), plan.tensor('y', [4]), 4);
        relu(plan, plan.tensor('x', [4]), plan.tensor('huge', [count]), 4);
      },
    ],
  ])('%s', async (_, message, build) => {
    const device = await testDevice();
    const before = device.ledger.buffers;
    const builder = new PlanBuilder(device);
    build(builder);
    await expect(builder.compile()).rejects.toThrow(message);
    expect(device.ledger.buffers).toBe(before);
  });
});

test('memory from outside that is larger than a binding is refused', async () => {
  const device = await testDevice();
  const buffer = await device.ledger.storage('parameters', 1024);
  const builder = new PlanBuilder(device);
  relu(builder, placedIn(buffer, [256]), builder.tensor('y', [4]), 4);
  const most = device.limit('maxComputeWorkgroupsPerDimension');
  const limit = vi
    .spyOn(device, 'limit')
    .mockImplementation((name) => (name === 'maxStorageBufferBindingSize' ? 512 : most));
  await expect(builder.compile()).rejects.toThrow(
    'tensor "parameters" needs 1.0 KiB; this device allows 0.5 KiB',
  );
  limit.mockRestore();
  buffer.destroy();
});

test('a chain shares memory, preserves the tensors it should, and allocates nothing when it runs', async () => {
  const device = await testDevice();
  const readback = new Readback(device);
  const before = device.ledger.buffers;
  const input: GpuBuffer = await device.ledger.upload('x', Float32Array.of(1, -2, 3, -4));
  const builder = new PlanBuilder(device);
  const chain = [placedIn(input, [4])];
  for (let i = 0; i < 10; i++) {
    chain.push(builder.tensor(`y${i}`, [4]));
    relu(builder, chain[i], chain[i + 1], 4);
  }
  builder.keep(chain[2]);
  builder.keep(chain[10]);
  const plan = await builder.compile();
  const at = chain.slice(1).map((tensor) => {
    const { buffer, offset } = plan.rangeOf(tensor);
    return `${buffer.label}:${offset}`;
  });
  expect(new Set(at).size).toBeLessThan(5);
  expect(at.filter((place) => place === at[1])).toHaveLength(1);

  const made = { buffers: device.ledger.made, pipelines: device.kernels.made };
  for (let i = 0; i < 3; i++) plan.run();
  expect({ buffers: device.ledger.made, pipelines: device.kernels.made }).toEqual(made);
  expect([...(await readback.floats(plan.rangeOf(chain[2])))]).toEqual([1, 0, 3, 0]);
  expect([...(await readback.floats(plan.rangeOf(chain[10])))]).toEqual([1, 0, 3, 0]);

  plan.destroy();
  input.destroy();
  readback.destroy();
  expect(device.ledger.buffers).toBe(before);
  expect(device.uncaught).toEqual([]);
});

test('a plan within another adds no memory, and does not touch what the other preserves', async () => {
  const device = await testDevice();
  const readback = new Readback(device);
  const input = await device.ledger.upload('x', Float32Array.of(1, -2, 3, -4));
  const other = await device.ledger.upload('x', Float32Array.of(-1, 2, -3, 4));
  const chain = async (from: GpuBuffer, within?: Plan) => {
    const builder = new PlanBuilder(device);
    const tensors = [placedIn(from, [4])];
    for (let i = 0; i < 6; i++) {
      tensors.push(builder.tensor(`y${i}`, [4]));
      relu(builder, tensors[i], tensors[i + 1], 4);
    }
    builder.keep(tensors[3]);
    const plan = await builder.compile(undefined, within ? { within } : {});
    return { plan, kept: tensors[3], last: tensors[6] };
  };
  const host = await chain(input);
  const { buffers } = device.ledger;
  const guest = await chain(other, host.plan);
  // Uniforms, and at most a slab for what it preserves.
  expect(device.ledger.buffers - buffers).toBeLessThanOrEqual(2);
  host.plan.run();
  guest.plan.run();
  expect([...(await readback.floats(host.plan.rangeOf(host.kept)))]).toEqual([1, 0, 3, 0]);
  expect([...(await readback.floats(guest.plan.rangeOf(guest.last)))]).toEqual([0, 2, 0, 4]);
  guest.plan.destroy();
  host.plan.run();
  expect([...(await readback.floats(host.plan.rangeOf(host.last)))]).toEqual([1, 0, 3, 0]);
  for (const thing of [host.plan, input, other, readback]) thing.destroy();
});
