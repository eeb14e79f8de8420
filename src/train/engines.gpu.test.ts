import { afterAll, describe, expect, test } from 'vitest';
import type { Device } from '../gpu/device.ts';
import { DeviceSupply } from '../gpu/supply.ts';
import { ENGINES, openNodeDevice, type Engine } from '../node/gpu.ts';
import { pack, unpack } from '../storage/packed.ts';
import { resumedConfig } from './checkpoint.ts';
import type { TrainingConfig } from './config.ts';
import { asCheckpoint } from './stored-checkpoint.ts';
import { dataset, recorded, residual, tiny } from './testing/tiny-run.ts';

const STEPS = 10;
/** How far apart the engines' losses may be: they add in different orders. */
const TOLERANCE = 1e-5;

const devices: Device[] = [];
const supplies = Object.fromEntries(
  ENGINES.map((engine) => [
    engine,
    new DeviceSupply(
      () => openNodeDevice({ engine }),
      (event) => {
        if (event.state === 'ready') devices.push(event.device);
      },
    ),
  ]),
) as Record<Engine, DeviceSupply>;
afterAll(() => {
  for (const device of devices) expect(device.uncaught).toEqual([]);
});

const expectClose = (losses: readonly number[], others: readonly number[]) => {
  expect(losses).toHaveLength(others.length);
  for (const [i, loss] of losses.entries())
    expect(Math.abs(loss - others[i]), `loss ${i + 1}: ${loss}, ${others[i]}`).toBeLessThan(TOLERANCE);
};

async function finished(config: TrainingConfig, engine: Engine) {
  const { run, record } = recorded(config, supplies[engine]);
  run.train();
  await run.settled();
  expect(record.states.at(-1)?.message).toBeUndefined();
  const { checkpoint } = run;
  await run.close();
  return { losses: record.losses, checkpoint, choices: record.choices };
}

describe.each([
  ['gpu', 'cpu'],
  ['cpu', 'gpu'],
] as const)('from %s to %s', (one, other) => {
  test.each([
    ['convolution', {}],
    ['batch norm and residual sums', { model: residual }],
  ])('a checkpoint resumes, and the losses are those of the first engine: %s', async (_, change) => {
    const first = await finished(tiny({ ...change, lastStep: STEPS }), one);
    const whole = await finished(tiny({ ...change, lastStep: 2 * STEPS }), one);
    const checkpoint = asCheckpoint('run', await unpack('run', await pack(first.checkpoint)));
    const rest = await finished(resumedConfig(checkpoint, dataset, { lastStep: 2 * STEPS }), other);
    expectClose(rest.losses.slice(STEPS), whole.losses.slice(STEPS));
    // The other engine has algorithms of its own.
    expect(rest.choices).toMatchObject([other === 'cpu' ? { cpu: true } : { layers: {} }]);
  });

  test('a run that is paused continues there, and loses nothing', async () => {
    const supply = new DeviceSupply(() => openNodeDevice({ engine: one }));
    const { run, record } = recorded(tiny({ lastStep: 2 * STEPS }), supply, (last) => {
      if (last >= STEPS && run.isTraining && record.choices.length === 1) void run.pause();
    });
    run.train();
    await run.settled();
    expect(record.states.at(-1)?.state).toBe('paused');
    const paused = run.steps;
    await supply.replace(await openNodeDevice({ engine: other }));
    run.train();
    await run.settled();
    expect(run.steps).toBe(2 * STEPS);
    expect(record.states.some(({ state }) => state === 'recovering')).toBe(false);
    expect(record.reported.map(({ step }) => step)).toEqual(
      Array.from({ length: 2 * STEPS }, (_, i) => i + 1),
    );
    expect(record.choices.map(({ cpu = false }) => cpu)).toEqual([one === 'cpu', other === 'cpu']);
    expect(paused).toBeLessThanOrEqual(2 * STEPS);
    const { losses } = await finished(tiny({ lastStep: 2 * STEPS }), one);
    expectClose(record.losses, losses);
    await run.close();
    (await supply.get()).destroy();
  });
});
