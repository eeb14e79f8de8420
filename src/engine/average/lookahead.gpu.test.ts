import { expect, test } from 'vitest';
import { packStep, stepSlotBytes } from '../step.ts';
import { expectClose } from '../testing/check.ts';
import { normals } from '../testing/fixtures.ts';
import { runPlan } from '../testing/gpu.ts';
import { lookAhead, lookaheadAt } from './lookahead.ts';
import { lookaheadStep } from './reference.ts';

/** Values, and what lies in them: with gaps, and with counts that stay. */
const LAYOUTS: { count: number; entries: Parameters<typeof lookAhead>[3] }[] = [
  { count: 1, entries: [{ offset: 0, length: 1 }] },
  { count: 1023, entries: [{ offset: 0, length: 1023 }] },
  { count: 2048, entries: [{ offset: 0, length: 2048 }] },
  {
    count: 2500,
    entries: [
      { offset: 0, length: 1025 },
      { offset: 1152, length: 1, counts: true },
      { offset: 1280, length: 63 },
      { offset: 1408, length: 1092 },
    ],
  },
];

test.each(LAYOUTS)('ten steps of $count values as the reference', async ({ count, entries }) => {
  const shape = [count];
  const [every, steps] = [3, 10];
  const moved = entries.filter(({ counts = false }) => !counts);
  let slow = normals(1, shape).data;
  const wantedSlow = Float64Array.from(slow);
  for (let t = 1; t <= steps; t++) {
    const trained = normals(1 + t, shape);
    const wantedFast = Float64Array.from(trained.data);
    for (const { offset, length } of moved)
      lookaheadStep(
        { every, t, steps },
        wantedFast.subarray(offset, offset + length),
        wantedSlow.subarray(offset, offset + length),
      );
    const slotBytes = stepSlotBytes(0);
    const data = new Uint8Array(slotBytes).fill(0xee);
    const averaging = lookaheadAt(every, t, steps);
    packStep(new DataView(data.buffer), 0, { averaging, metricsSlot: 0, indices: new Uint32Array() });
    const found = await runPlan({
      inputs: {},
      outputs: { slow: { shape, data: slow }, fast: trained },
      step: { data, slotBytes },
      build: (plan, tensors) => lookAhead(plan, tensors.fast, tensors.slow, entries),
    });
    ({ slow } = found);
    expectClose(`slow after ${t} steps`, slow, wantedSlow, 5e-7);
    expectClose(`fast after ${t} steps`, found.fast, wantedFast, 5e-7);
    // Between two returns, and of what does not take part, not one bit.
    if (t % every !== 0) expect(found.fast).toEqual(trained.data);
  }
});

test('the factor falls with the part of the run that is done, and is 0 between two returns', () => {
  expect([1, 4, 6, 99].map((t) => lookaheadAt(5, t, 100))).toEqual([0, 0, 0, 0]);
  expect(lookaheadAt(5, 5, 100)).toBeCloseTo(1 - 0.7737809375 / 8000, 12);
  expect(lookaheadAt(5, 50, 100)).toBeCloseTo(1 - 0.7737809375 / 8, 12);
  expect([100, 105, 1e6].map((t) => lookaheadAt(5, t, 100))).toEqual(Array(3).fill(lookaheadAt(5, 100, 100)));
  expect(lookaheadAt(5, 100, 100)).toBeCloseTo(0.2262190625, 12);
  expect(lookaheadAt(1, 100, 100)).toBeCloseTo(0.05, 12);
});
