import { describe, expect, test } from 'vitest';
import { NO_AUGMENTATION, parseAugmentation } from '../base/augmentation.ts';
import { resumedConfig, type Checkpoint } from './checkpoint.ts';
import type { TrainingConfig } from './config.ts';
import { forkOf } from './fork.ts';
import { dataset, recorded, residual, cleanSupply, tiny } from './testing/tiny-run.ts';

const supply = cleanSupply();

/** Trains to the end and returns the losses. */
async function losses(config: TrainingConfig): Promise<number[]> {
  const { run, record } = recorded(config, supply);
  run.train();
  await run.settled();
  await run.close();
  return record.losses;
}

const ADJUSTED = [
  { step: 12, lr: 0.05, augmentation: parseAugmentation('crop=1,mixup') },
  { step: 20, lr: 0.002, weightDecay: 0.1, augmentation: parseAugmentation('flip,cutout=2') },
];

describe('settings that change during a run', () => {
  test('apply from their step on, whether changed live or given at the start', async () => {
    const known = await losses(tiny({ lastStep: 30, adjustments: ADJUSTED }));
    const plain = await losses(tiny({ lastStep: 30 }));
    // The images of the next step are augmented; a step's loss is from before its update.
    expect(known.slice(0, 12)).toEqual(plain.slice(0, 12));
    expect(known[12]).not.toBe(plain[12]);
    const rates = ADJUSTED.map((one) => ({ ...one, augmentation: NO_AUGMENTATION }));
    const still = await losses(tiny({ lastStep: 30, adjustments: rates }));
    expect(still.slice(0, 13)).toEqual(plain.slice(0, 13));
    expect(still[13]).not.toBe(plain[13]);
    expect(still[20]).not.toBe(known[20]);

    const { run, record } = recorded(tiny({ lastStep: 30 }), supply);
    for (const { step, ...changes } of ADJUSTED) {
      while (run.steps < step) await run.stepOnce();
      run.adjust(changes);
    }
    run.train();
    await run.settled();
    expect(run.changes.adjustments).toEqual(ADJUSTED);
    expect(record.losses).toEqual(known);

    await run.restart();
    await run.settled();
    expect(record.losses).toEqual(known);
    await run.close();
  });

  test('apply again after the device was lost, and after resuming from a checkpoint', async () => {
    const known = await losses(tiny({ lastStep: 30, adjustments: ADJUSTED }));
    let kept: Checkpoint | undefined;
    const run = recorded(tiny({ lastStep: 30, checkpointEvery: { ms: 1e9 } }), supply, undefined, {
      checkpoint: (checkpoint) => (kept = checkpoint),
    });
    for (const { step, ...changes } of ADJUSTED) {
      while (run.run.steps < step) await run.run.stepOnce();
      run.run.adjust(changes);
    }
    await run.run.settled();
    const from = kept!;
    expect(from).toMatchObject({ step: 20, config: { adjustments: ADJUSTED } });
    (await supply.get()).destroy();
    run.run.train();
    await run.run.settled();
    expect(run.record.losses).toEqual(known);
    await run.run.close();

    const resumed = await losses({ ...resumedConfig(from, dataset), lastStep: 30 });
    expect(resumed.slice(20)).toEqual(known.slice(20));
  });

  test('are repeated on request, until one is made by hand: what was to come then does not', async () => {
    const { run, record } = recorded(tiny({ lastStep: 30, adjustments: ADJUSTED }), supply);
    while (run.steps < 15) await run.stepOnce();
    run.adjust({ momentum: 0.5 });
    const made = [ADJUSTED[0], { step: 15, momentum: 0.5 }];
    expect(run.changes.adjustments).toEqual(made);
    run.train();
    await run.settled();
    expect(record.losses).toEqual(await losses(tiny({ lastStep: 30, adjustments: made })));
    await run.close();
  });

  test('are reported by step, with the learning rate of each', async () => {
    const reported: unknown[] = [];
    const { run, record } = recorded(tiny({ lastStep: 4 }), supply, undefined, {
      adjusted: ({ adjustments }) => reported.push(adjustments),
    });
    await run.stepOnce();
    run.adjust({ lr: 0.5 });
    run.train();
    await run.settled();
    expect(record.rows.map(({ learningRate }) => learningRate)).toEqual([0.01, 0.5, 0.5, 0.5]);
    expect(reported).toEqual([[{ step: 1, lr: 0.5 }]]);
    await run.close();
  });

  test('are refused out of range', async () => {
    const { run } = recorded(tiny(), supply);
    expect(() => run.adjust({ lr: -1 })).toThrow(/Learning rate: expected/);
    expect(() => run.adjust({ augmentation: parseAugmentation('crop=8') })).toThrow(
      /crop: expected less than the image's 8 pixels/,
    );
    expect(run.changes.adjustments).toEqual([]);
    await run.close();
    expect(() => recorded(tiny({ adjustments: [{ step: 5, lr: NaN }] }), supply)).toThrow(/expected lr/);
  });
});

describe('a fork', () => {
  /** A run's state after ten steps. */
  async function parentOf(config: TrainingConfig): Promise<Checkpoint> {
    const { run } = recorded({ ...config, lastStep: 10 }, supply);
    run.train();
    await run.settled();
    const { checkpoint } = run;
    await run.close();
    return checkpoint!;
  }

  test('with the same optimiser computes the step that its parent would have computed', async () => {
    const config = tiny({ shuffle: false, lastStep: 13 });
    const parent = await parentOf(config);
    // In file order, step 11 has the images of step 1.
    const forked = await losses({ ...config, lastStep: 3, fork: forkOf(parent, config).fork });
    expect(forked).toEqual((await losses(config)).slice(10));
  });

  test('with another optimiser starts from the weights, and restarts from them', async () => {
    const config = tiny({ model: residual, shuffle: false, lastStep: 12 });
    const parent = await parentOf(config);
    const sgd = { optimizer: 'sgd', lr: 0.01, batchSize: 8, lastStep: 4, ema: 0.9 } as const;
    const child = { ...config, ...sgd };
    const { fork } = forkOf(parent, child);
    expect(fork.steps).toBe(0);
    const { run, record } = recorded({ ...child, fork }, supply);
    run.train();
    await run.settled();
    const first = record.losses;
    expect(first).toHaveLength(4);
    await run.restart();
    await run.settled();
    expect(record.losses).toEqual(first);
    await run.close();
  });

  test('of another model is refused', async () => {
    const parent = await parentOf(tiny());
    expect(() => forkOf(parent, tiny({ model: residual }))).toThrow(/weights of Tiny, which do not fit/);
  });
});
