import { afterAll, expect, test } from 'vitest';
import { recorded, testSupply, tiny } from '../../train/testing/tiny-run.ts';
import type { Familiarity } from './api.ts';
import { RunFamiliarity } from './of-run.ts';

const { supply, devices } = testSupply();
afterAll(() => {
  for (const device of devices) device.destroy();
});

test('a run’s network finds its training images familiar and others not, and its numbers do not change', async () => {
  const { run } = recorded(tiny(), supply);
  const { run: alone } = recorded(tiny(), supply);
  const runs = { run, isAtFullSpeed: false };
  const gpu = { requireIdle: () => undefined };
  const familiarity = new RunFamiliarity({ gpu, runs, supply } as never);
  const { images, count } = run.config.dataset.train;
  const size = images.length / count;
  const image = (i: number) => images.subarray(i * size, (i + 1) * size);
  expect(await familiarity.ask(image(0))).toBeUndefined();
  for (let i = 0; i < 20; i++) await run.stepOnce();
  const known: (Familiarity | undefined)[] = [];
  for (let i = 0; i < 20; i++) known.push(await familiarity.ask(image(i)));
  expect(known.every((one) => one?.step === 20)).toBe(true);
  expect(known.filter((one) => one!.strangeness <= 1).length).toBeGreaterThan(15);
  const stripes = Uint8Array.from({ length: size }, (_, i) => (i % 2 === 0 ? 255 : 0));
  expect((await familiarity.ask(stripes))!.strangeness).toBeGreaterThan(1);

  // At full speed nothing is computed for it.
  runs.isAtFullSpeed = true;
  expect(await familiarity.ask(stripes)).toBeUndefined();
  runs.isAtFullSpeed = false;
  await run.stepOnce();
  expect((await familiarity.ask(stripes))?.step).toBe(21);

  for (let i = 0; i < 21; i++) await alone.stepOnce();
  const [asked, unasked] = await Promise.all([run.stateDict(), alone.stateDict()]);
  expect(asked).toEqual(unasked);
  await expect(familiarity.ask(new Uint8Array(3))).rejects.toMatchObject({ code: 'bad-input' });
  await Promise.all([run.close(), alone.close()]);
});
