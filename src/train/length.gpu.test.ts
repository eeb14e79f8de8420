import { afterAll, expect, test } from 'vitest';
import { completed } from '../run/settings/rules.ts';
import { trainingConfig } from './config.ts';
import { TrainingRun } from './run.ts';
import { dataset, testSupply, tiny } from './testing/tiny-run.ts';

const { supply } = testSupply();
afterAll(async () => (await supply.get()).destroy());

/** A run of ten steps per epoch, and its losses. */
function runOf(settings: Parameters<typeof completed>[0]) {
  const losses: number[] = [];
  const config = trainingConfig(completed({ ...settings, batchSize: 16 }), tiny().model, dataset);
  const run = new TrainingRun(config, supply, {
    steps: (rows) => losses.push(...rows.map(({ loss }) => loss)),
  });
  return { run, losses };
}

async function trained({ run }: { run: TrainingRun }): Promise<number> {
  run.train();
  await run.settled();
  return run.steps;
}

test('a run that has come to its end is trained on, to the losses of one that was longer from the start', async () => {
  const short = runOf({ epochs: 2 });
  expect(await trained(short)).toBe(20);
  expect(await trained(short)).toBe(20);
  short.run.adjust({ epochs: 3 });
  expect(await trained(short)).toBe(30);
  expect(short.run.checkpoint?.config).toMatchObject({
    epochs: 2,
    lastStep: 30,
    adjustments: [{ step: 20, epochs: 3 }],
  });
  const long = runOf({ epochs: 3 });
  expect(await trained(long)).toBe(30);
  expect(short.losses).toEqual(long.losses);
  expect(() => short.run.adjust({ epochs: 0 })).toThrow(
    'Epochs: expected a whole number of at least 1, found 0',
  );
  await short.run.close();
  await long.run.close();
});

test.each([{ schedule: 'cosine' }, { lookahead: 5 }] as const)(
  'a length that %j belongs to stays',
  async (change) => {
    const { run } = runOf({ epochs: 2, ...change });
    expect(() => run.adjust({ epochs: 3 })).toThrow(
      'The learning rate schedule or lookahead ends with the last epoch.',
    );
    run.adjust({ epochs: 2 });
    await run.close();
  },
);
