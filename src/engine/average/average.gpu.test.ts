import { expect, test } from 'vitest';
import { packStep, stepSlotBytes } from '../step.ts';
import { expectClose } from '../testing/check.ts';
import { normals } from '../testing/fixtures.ts';
import { runPlan } from '../testing/gpu.ts';
import { averagingAt, moveAverage } from './index.ts';
import { averageStep } from './reference.ts';

test.each([
  { decay: 0.999, count: 1001 },
  { decay: 0.5, count: 1001 },
  { decay: 0, count: 3 },
])('twenty steps of decay $decay as the reference', async ({ decay, count }) => {
  const shape = [count];
  let average = normals(1, shape).data;
  const reference = Float64Array.from(average);
  for (let t = 1; t <= 20; t++) {
    const values = normals(1 + t, shape);
    const slotBytes = stepSlotBytes(0);
    const data = new Uint8Array(slotBytes).fill(0xee);
    const averaging = averagingAt(decay, t);
    packStep(new DataView(data.buffer), 0, { averaging, metricsSlot: 0, indices: new Uint32Array() });
    ({ average } = await runPlan({
      inputs: { values },
      outputs: { average: { shape, data: average } },
      step: { data, slotBytes },
      build: (plan, tensors) => moveAverage(plan, tensors.values, tensors.average),
    }));
    averageStep(decay, t, values.data, reference);
  }
  expectClose('average', average, reference, 5e-7);
});

test('early steps count for more; a decay out of range is refused', () => {
  expect([1, 2, 90, 1e6].map((t) => averagingAt(0.9, t))).toEqual([
    ...[1 - 2 / 11, 1 - 3 / 12, 1 - 0.9, 1 - 0.9],
  ]);
  for (const decay of [1, -0.1, NaN]) expect(() => averagingAt(decay, 1)).toThrow(/below 1, found/);
});
