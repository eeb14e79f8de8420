import { beforeAll, expect, test, vi } from 'vitest';
import { Failure } from '../base/result.ts';
import type { Layer } from '../engine/network.ts';
import type { Device } from '../gpu/device.ts';
import { fitWithin, type Fit } from './fit.ts';
import { proposalFor } from './proposal.ts';
import { dataset, recorded, testSupply, tiny } from './testing/tiny-run.ts';

/** A chain whose memory is its layers' outputs. */
const blocks = Array.from({ length: 5 }, (_, i): Layer[] => [
  {
    name: `conv${i}`,
    op: 'conv',
    attributes: { outChannels: 8, kernelSize: [3, 3], padding: [1, 1], bias: false },
  },
  { name: `bn${i}`, op: 'batch_norm' },
  { name: `relu${i}`, op: 'relu' },
]);
const model = {
  ...tiny().model,
  title: 'Chain',
  layers: [
    ...blocks.flat(),
    { name: 'flatten', op: 'flatten' },
    { name: 'fc', op: 'linear', attributes: { outFeatures: 4 } },
  ],
};
// Without a test set, the memory of evaluation does not hide that of a step.
const { test: _, ...trainOnly } = dataset;
const config = tiny({ model, dataset: trainOnly, batchSize: 64, lastStep: 4 });

const { supply, devices } = testSupply();
let device: Device;
let off: Fit;
let least: Fit;
beforeAll(async () => {
  device = await supply.get();
  const at = async (recompute: 'off' | 'on') => {
    const fit = await fitWithin(device, { ...config, recompute }, Infinity);
    if (!fit) throw new Error('it does not fit without a limit');
    return fit;
  };
  off = await at('off');
  least = await at('on');
});

/** A run to its end: its losses, and how it fitted. */
async function finished(change: Partial<typeof config>) {
  const fits: Fit[] = [];
  const { run, record } = recorded({ ...config, ...change }, supply, undefined, {
    fit: (fit) => fits.push(fit),
  });
  run.train();
  await run.settled();
  await run.close();
  return { ...record, fits };
}

test('a run that does not fit recomputes just enough to fit, to the same bits', async () => {
  expect(least.need.bytes).toBeLessThan(0.8 * off.need.bytes);
  const kept = await finished({});
  expect(kept.fits).toEqual([off]);
  const memoryLimit = Math.floor((off.need.bytes + least.need.bytes) / 2);
  const again = await finished({ memoryLimit });
  const [{ need }] = again.fits;
  expect(need.bytes).toBeLessThanOrEqual(memoryLimit);
  expect(need.recomputed).toBeGreaterThan(0);
  expect(need.recomputed).toBeLessThan(least.need.recomputed);
  expect(again.losses).toEqual(kept.losses);
  expect(devices).toHaveLength(1);
});

test('a run that does not fit is refused before anything is allocated, with the largest batch that fits', async () => {
  const memoryLimit = Math.floor((off.need.bytes + least.need.bytes) / 2);
  const { made } = device.ledger;
  const { states, fits } = await finished({ memoryLimit, recompute: 'off' });
  expect(fits).toEqual([]);
  expect(device.ledger.made).toBe(made);
  const last = states[states.length - 1];
  expect(last).toMatchObject({ state: 'failed', code: 'out-of-memory' });
  expect(last.message).toMatch(
    /^Chain with batch 64 needs [\d.]+ MiB of memory, but only [\d.]+ MiB is available$/,
  );

  const proposal = await proposalFor(device, { ...config, recompute: 'off' }, memoryLimit);
  expect(proposal.recompute).toBe(true);
  const { batchSize = 0 } = proposal;
  const fitting = (batch: number) =>
    fitWithin(device, { ...config, recompute: 'off', batchSize: batch }, memoryLimit);
  expect(await fitting(batchSize)).toBeDefined();
  expect(await fitting(batchSize + 1)).toBeUndefined();
  expect(await proposalFor(device, config, 1000)).toEqual({ batchSize: undefined, recompute: false });
});

test('if memory runs out during allocation, the next try takes less', async () => {
  const { ledger } = device;
  const kept = await finished({});
  const there = Math.floor((off.need.bytes + least.need.bytes) / 2);
  // Simulates a GPU with little memory.
  const create = ledger.create.bind(ledger);
  const spy = vi.spyOn(ledger, 'create').mockImplementation((label, bytes, usage) => {
    if (ledger.bytes + bytes <= there) return create(label, bytes, usage);
    ledger.tooMuch = ledger.bytes + bytes;
    return Promise.reject(new Failure('out-of-memory', 'full'));
  });
  const again = await finished({});
  const refused = await finished({ recompute: 'off' });
  spy.mockRestore();
  expect(again.fits[0]).toEqual(off);
  expect(again.fits[again.fits.length - 1].recomputes).toBe(true);
  expect(again.losses).toEqual(kept.losses);
  expect(refused.states[refused.states.length - 1]).toMatchObject({ state: 'failed', code: 'out-of-memory' });
  expect(ledger.bytes).toBe(0);
});
