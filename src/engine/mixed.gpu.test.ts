import { afterAll, expect, test } from 'vitest';
import { ops } from './ops/registry.ts';
import { testDevice } from './testing/gpu.ts';
import { MIXED_LAYERS, MIXED_NETWORKS, mixedDifference, mixedStep } from './testing/mixed.ts';
import { nullDevice } from './testing/null-device.ts';

const device = await testDevice();
afterAll(() => {
  expect(device.uncaught).toEqual([]);
  expect(device.ledger.buffers).toBe(0);
});

test('every op is in one of the networks', () =>
  expect([...new Set(MIXED_LAYERS.map(({ op }) => op))].sort()).toEqual([...ops.names()].sort()));

/** The network that SwiftShader computes. It takes seconds to compile one, and their kernels have tests of their own. */
const ON_SWIFTSHADER = 'pooling, groups, concatenation';

/** Where SwiftShader does not compute a step, Dawn checks it, as on a GPU; the CPU engine computes all. */
async function isOnlyChecked(name: string, onMatrices: boolean): Promise<boolean> {
  if (!device.adapter.software || (name === ON_SWIFTSHADER && !onMatrices)) return false;
  const checking = await nullDevice('adapter');
  await mixedStep(checking, name, 'f32', onMatrices);
  expect(checking.uncaught).toEqual([]);
  return true;
}

// Those that tensor cores suit. Sums are added in another order, and everything else is the same.
test.each(MIXED_NETWORKS.slice(0, 2))('%s: a step with channels last', async (name) => {
  if (await isOnlyChecked(name, true)) return;
  const { loss, gradient } = await mixedDifference(device, name, 'f32', true);
  expect(loss).toBeLessThan(1e-5);
  expect(gradient.error).toBeLessThan(2e-4);
});

// In 32 bits only the scaling and the copy of the weights remain, which round nothing.
test.each(MIXED_NETWORKS)('%s: a step as in 32 bits', async (name) => {
  if (await isOnlyChecked(name, false)) return;
  const exact = { loss: 0, gradient: { name: '', error: 0 } };
  expect(await mixedDifference(device, name, 'f32')).toEqual(exact);
  if (!device.raw.features.has('shader-f16')) return;
  const { loss, gradient } = await mixedDifference(device, name, 'f16');
  expect(loss).toBeLessThan(2e-3);
  expect(gradient.error).toBeLessThan(0.05);
});
