/** Presets that learn raise no alarm. */
import { afterAll, expect, test } from 'vitest';
import { count } from '../base/testing/tier.ts';
import { readDataset } from '../cli/data.ts';
import { datasets } from '../data/catalogue.ts';
import { models } from '../models/index.ts';
import { presets, settingsOf } from '../run/presets.ts';
import { trainingConfig } from './config.ts';
import type { Trouble } from './learning-watch.ts';
import { TrainingRun } from './run.ts';
import { testSupply } from './testing/tiny-run.ts';

const { supply } = testSupply();
afterAll(async () => (await supply.get()).destroy());

// Alarms need 30 steps. ResNet-8 takes a fifth of a second per step on two cores.
test.each([
  ['lenet5-digits', count(100, 100, 300)],
  ['resnet8-shapes', count(40, 40, 300)],
])('%s trains %d steps without an alarm', async (name, steps) => {
  const { model, dataset, ...preset } = presets.get(name);
  const { test: _unused, ...data } = await readDataset(datasets.get(dataset));
  const settings = settingsOf({ model, dataset, ...preset });
  const alarms: (Trouble | undefined)[] = [];
  const config = { ...trainingConfig(settings, models.get(model), data), lastStep: steps };
  const run = new TrainingRun(config, supply, { trouble: (trouble) => alarms.push(trouble) });
  run.train();
  await run.settled();
  expect(run.steps).toBe(steps);
  expect(alarms).toEqual([]);
  await run.close();
});
