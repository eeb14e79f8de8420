/** Runs with augmented training images. */
import { afterAll, expect, test } from 'vitest';
import { parseAugmentation } from '../base/augmentation.ts';
import type { TrainingConfig } from './config.ts';
import { recorded, testSupply, tiny, trainedRun } from './testing/tiny-run.ts';

const { supply, devices } = testSupply();
afterAll(async () => {
  for (const device of devices) expect(device.uncaught).toEqual([]);
  expect((await supply.get()).ledger).toMatchObject({ buffers: 0, bytes: 0 });
});

const augmentation = parseAugmentation('crop=1,flip,cutout=2,mixup');

async function finished(change: Partial<TrainingConfig>, onSteps?: (last: number) => void) {
  const { record } = await trainedRun(tiny({ lastStep: 20, ...change }), supply, onSteps);
  return { losses: record.losses, evaluations: record.evaluations };
}

test('the same seed gives the same losses, also after a lost device; another seed gives others', async () => {
  const whole = await finished({ augmentation });
  expect((await finished({})).losses).not.toEqual(whole.losses);
  expect((await finished({ augmentation, seed: 2 })).losses).not.toEqual(whole.losses);
  let lost = false;
  const cut = await finished({ augmentation }, (last) => {
    if (lost || last < 12) return;
    lost = true;
    devices.at(-1)?.raw.destroy();
  });
  expect(lost).toBe(true);
  expect(cut).toEqual(whole);
});

test('evaluation does not augment', async () => {
  const still = { lr: 0, lastStep: 20 };
  const [plain, augmented] = [await finished(still), await finished({ ...still, augmentation })];
  expect(augmented.evaluations).toEqual(plain.evaluations);
  // Without augmentation, the second epoch has the losses of the first in another order; their sum is the same except
  // for rounding.
  const epoch = (losses: number[], from: number) =>
    losses.slice(from, from + 10).reduce((sum, loss) => sum + loss, 0);
  expect(epoch(plain.losses, 10)).toBeCloseTo(epoch(plain.losses, 0), 4);
  expect(Math.abs(epoch(augmented.losses, 10) - epoch(augmented.losses, 0))).toBeGreaterThan(1e-3);
});

test('an augmentation that does not fit the images is refused before anything is allocated', () => {
  const config = tiny({ augmentation: parseAugmentation('crop=8') });
  expect(() => recorded(config, supply)).toThrow(/crop: expected less than the image's 8 pixels, found 8/);
});
