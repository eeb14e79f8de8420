import { describe, expect, test } from 'vitest';
import { expectExact } from './check.ts';
import { integers } from './fixtures.ts';
import { runPlan, testDevice } from './gpu.ts';

describe('runPlan', () => {
  const x = integers(1, [5]);

  test('outputs that are never written are NaN', async () => {
    const { y, z } = await runPlan({ inputs: { x }, outputs: { y: [5], z: x }, build: () => {} });
    expect([...y].every(Number.isNaN)).toBe(true);
    expectExact('kept', z, x.data);
  });

  test('leaves no buffer behind when building fails', async () => {
    const { ledger } = await testDevice();
    const before = ledger.buffers;
    const build = () => {
      throw new Error('on purpose');
    };
    await expect(runPlan({ inputs: { x }, outputs: { y: [5] }, build })).rejects.toThrow('on purpose');
    expect(ledger.buffers).toBe(before);
  });
});
