/** Devices that crash, refuse a command or do not come back: the losses that a run reports stay the same. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { Random } from '../base/random.ts';
import { count, SEED } from '../base/testing/tier.ts';
import { openDevice } from '../gpu/device.ts';
import { DeviceSupply } from '../gpu/supply.ts';
import { refuseOneCommand } from '../gpu/testing/refused.ts';
import { nodeGpu } from '../node/gpu.ts';
import { recorded, testSupply, tiny, type RunRecording } from './testing/tiny-run.ts';

const STEPS = 60;
const { supply } = testSupply();
const refuse = async () => refuseOneCommand(await supply.get());
const config = tiny({ lastStep: STEPS, checkpointEvery: { steps: 5 } });

/** Losses of an undisturbed run. */
let losses: number[];
beforeAll(async () => {
  const { run, record } = recorded(config, supply);
  run.train();
  await run.settled();
  await run.close();
  ({ losses } = record);
  expect(losses).toHaveLength(STEPS);
});
afterAll(async () => {
  expect((await supply.get()).ledger).toMatchObject({ buffers: 0, bytes: 0 });
});

const expectTheSame = ({ reported }: RunRecording) => {
  for (const { step, loss } of reported) expect(loss, `of step ${step}`).toBe(losses[step - 1]);
};

test('crashes at random steps: each run ends with the same losses', async () => {
  const random = new Random(SEED, 'crashes');
  for (let crash = 0; crash < count(4, 4, 20); crash++) {
    const at = 1 + random.below(STEPS - 1);
    let crashed = false;
    const { run, record } = recorded(config, supply, (last) => {
      if (last < at || crashed) return;
      crashed = true;
      void supply.get().then((device) => device.destroy());
    });
    run.train();
    await run.settled();
    expect(crashed, `at step ${at}`).toBe(true);
    expect(record.losses, `crashed at step ${at}`).toEqual(losses);
    expectTheSame(record);
    await run.close();
  }
});

test('two crashes, after which there is no adapter: the run fails after three requests, and keeps its checkpoint', async () => {
  const gpu = await nodeGpu();
  let crashes = 0;
  let requests = 0;
  const none = { requestAdapter: () => Promise.resolve(null) } as unknown as GPU;
  const leaving = new DeviceSupply(() => {
    if (crashes === 2) requests++;
    return openDevice(crashes < 2 ? gpu : none);
  });
  const { run, record } = recorded(config, leaving, (last) => {
    if (last < 20 + 10 * crashes || crashes === 2) return;
    crashes++;
    void leaving.get().then((device) => device.destroy());
  });
  run.train();
  await run.settled();
  expect(record.states.at(-1)).toMatchObject({ state: 'failed', code: 'no-webgpu' });
  expectTheSame(record);
  expect(requests).toBeLessThanOrEqual(3);
  expect(run.checkpoint?.step).toBeGreaterThanOrEqual(20);
  const { checkpoint } = run;
  await run.close();
  // It resumes on a device that works.
  const again = recorded({ ...config, from: checkpoint, choices: checkpoint?.config.choices }, supply);
  again.run.train();
  await again.run.settled();
  expectTheSame(again.record);
  expect(again.record.reported.at(-1)?.step).toBe(STEPS);
  await again.run.close();
});

describe('a device that refuses a command', () => {
  const complaint = vi.spyOn(console, 'error');
  beforeEach(() => void complaint.mockImplementation(() => undefined));
  afterEach(() => void complaint.mockReset());

  test('once: the run resumes on another device, and no loss is wrong', async () => {
    let refused = false;
    const { run, record } = recorded(config, supply, (last) => {
      if (last < 13 || refused) return;
      refused = true;
      void refuse();
    });
    run.train();
    await run.settled();
    expectTheSame(record);
    expect(record.losses).toEqual(losses);
    expect(record.states.filter(({ state }) => state === 'recovering')).toHaveLength(1);
    await run.close();
  });

  test('again and again: the run fails with the reason, and keeps its checkpoint', async () => {
    const { run, record } = recorded(config, supply, (last) => {
      if (last > 5) void refuse();
    });
    run.train();
    await run.settled();
    expect(record.states.at(-1)).toMatchObject({
      state: 'failed',
      code: 'device-lost',
      message: expect.stringContaining('a GPU command was refused') as string,
    });
    expectTheSame(record);
    expect(run.checkpoint?.step).toBeGreaterThanOrEqual(5);
    await run.close();
  });
});
