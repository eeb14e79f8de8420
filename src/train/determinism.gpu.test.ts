/** One seed gives the same bits: whenever a run is repeated, and wherever it is interrupted. */
import { afterAll, expect, test } from 'vitest';
import { Random } from '../base/random.ts';
import { count, SEED } from '../base/testing/tier.ts';
import { optimizers } from '../engine/optimizers/registry.ts';
import { resumedConfig } from './checkpoint.ts';
import type { TrainingConfig } from './config.ts';
import { dataset, recorded, residual, testSupply, tiny } from './testing/tiny-run.ts';

const STEPS = 50;

/** Each on a device of its own. */
const opened = Array.from({ length: 3 }, testSupply);
afterAll(() => opened.forEach(({ devices }) => devices.forEach((device) => device.destroy())));

/** The losses and all weights of a run up to a step, and what it would resume from. */
async function trained(config: TrainingConfig, lastStep: number, launch: number) {
  const { run, record } = recorded({ ...config, lastStep }, opened[launch].supply);
  run.train();
  await run.settled();
  const result = { losses: record.losses, weights: await run.stateDict() };
  const { checkpoint } = run;
  await run.close();
  if (!checkpoint) throw new Error('nothing to resume from');
  return { result, checkpoint };
}

const runs: Readonly<Record<string, TrainingConfig>> = {
  'Adam, residual blocks with batch norm': tiny({ model: residual }),
  'SGD with momentum': tiny({ optimizer: 'sgd', ...optimizers.get('sgd').defaults, lr: 0.05, momentum: 0.9 }),
  RMSProp: tiny({ optimizer: 'rmsprop', ...optimizers.get('rmsprop').defaults, lr: 0.005 }),
};

test.each(Object.entries(runs))('%s', async (name, config) => {
  const [{ result }, ...others] = [
    await trained(config, STEPS, 0),
    await trained(config, STEPS, 1),
    await trained(config, STEPS, 2),
  ];
  expect(result.losses).toHaveLength(STEPS);
  for (const other of others) expect(other.result).toEqual(result);
  const random = new Random(SEED, name);
  for (let i = 0; i < count(2, 2, 12); i++) {
    const step = 1 + random.below(STEPS - 1);
    const { checkpoint } = await trained(config, step, 0);
    const { result: resumed } = await trained(resumedConfig(checkpoint, dataset), STEPS, 1);
    expect(resumed.losses.slice(step), `seed ${SEED}, resumed at ${step}`).toEqual(result.losses.slice(step));
    expect(resumed.weights, `seed ${SEED}, resumed at ${step}`).toEqual(result.weights);
  }
});
