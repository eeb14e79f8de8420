import { afterAll, describe, expect, test } from 'vitest';
import { optimizers } from '../engine/optimizers/registry.ts';
import { pack, unpack } from '../storage/packed.ts';
import { resumedConfig, type Checkpoint } from './checkpoint.ts';
import { asCheckpoint } from './stored-checkpoint.ts';
import type { TrainingConfig } from './config.ts';
import {
  dataset,
  recorded,
  residual,
  testSupply,
  tiny,
  trainedRun,
  type RunRecording,
} from './testing/tiny-run.ts';

const { supply, devices } = testSupply();
afterAll(() => {
  for (const device of devices) expect(device.uncaught).toEqual([]);
});

/** After a round trip through a file. */
const throughFile = async (checkpoint: Checkpoint | undefined): Promise<Checkpoint> =>
  asCheckpoint('run', await unpack('run', await pack(checkpoint)));

const sgd = { ...optimizers.get('sgd').defaults, lr: 0.05, momentum: 0.9, nesterov: true, weightDecay: 1e-3 };
const cosine = { schedule: 'cosine', steps: 34, warmupSteps: 5 };

describe('a run that resumes from a file', () => {
  test.each<[string, number, Partial<TrainingConfig>]>([
    ['Adam, in the middle of an epoch', 13, {}],
    [
      'SGD, batch norm and a schedule, in the middle',
      17,
      { model: residual, optimizer: 'sgd', ...sgd, learningRate: cosine },
    ],
    ['batch norm and averages, at an epoch’s end', 20, { model: residual, ema: 0.9 }],
    [
      'batch norm and lookahead, between two returns',
      18,
      { model: residual, lookahead: 5, learningRate: { schedule: 'constant', steps: 34 } },
    ],
    [
      'a loss whose scale is still falling',
      6,
      { mixed: { number: 'f32', scaling: { initial: 2 ** 75, patience: 4 } } },
    ],
    ['batches across epochs, in file order', 9, { batchSize: 48, shuffle: false, clipNorm: 0.5 }],
  ])('has the bits of one that nothing disturbed: %s', async (_, at, change) => {
    const whole = await trainedRun(tiny({ ...change, lastStep: 34 }), supply);
    const first = await trainedRun(tiny({ ...change, lastStep: at }), supply);
    const checkpoint = await throughFile(first.checkpoint);
    expect(checkpoint.step).toBe(at);
    const second = await trainedRun(resumedConfig(checkpoint, dataset, { lastStep: 34 }), supply);
    expect(second.record.losses.slice(at)).toEqual(whole.record.losses.slice(at));
    expect(second.record.reported[0].step).toBe(at + 1);
    expect(second.parameters).toEqual(whole.parameters);
    expect(second.history).toEqual(whole.history);
    const evaluations = (record: RunRecording) => record.evaluations.map(({ evaluation }) => evaluation);
    expect([...evaluations(first.record), ...evaluations(second.record)]).toEqual(evaluations(whole.record));
    // No algorithm is chosen again.
    expect(second.record.choices).toEqual([]);
  });

  test('makes up for the evaluation that a pause cut short', async () => {
    const count = 2000;
    const many = { count, images: new Uint8Array(64 * count), labels: new Uint8Array(count) };
    const data = { ...dataset, test: many };
    const { run, record } = recorded(tiny({ dataset: data }), supply, (last) => {
      if (last >= 10) void run.pause();
    });
    run.train();
    await run.settled();
    expect([run.steps, record.evaluations]).toEqual([10, []]);
    const checkpoint = await throughFile(run.checkpoint);
    await run.close();
    const { record: rest } = await trainedRun(resumedConfig(checkpoint, data, { lastStep: 12 }), supply);
    expect(rest.evaluations.map(({ step, epoch }) => [step, epoch])).toEqual([[10, 1]]);
  });

  test('is saved every given number of steps, at epochs’ ends and at the end', async () => {
    const steps: number[] = [];
    const { run } = recorded(tiny({ lastStep: 23, checkpointEvery: { steps: 4 } }), supply, undefined, {
      checkpoint: ({ step }) => steps.push(step),
    });
    run.train();
    await run.settled();
    await run.close();
    expect(steps).toEqual([4, 8, 10, 12, 16, 20, 23]);
  });
});

describe('plain data that is not a checkpoint', () => {
  test.each([undefined, {}, { step: -1 }, { step: 1, epoch: 0, config: {} }])('%o', (value) => {
    expect(() => asCheckpoint('run', value)).toThrow(/run: expected/);
  });
});
