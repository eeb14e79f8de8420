import { afterAll, expect, test } from 'vitest';
import { optimizers } from '../engine/optimizers/registry.ts';
import { resumedConfig } from './checkpoint.ts';
import type { TrainingConfig } from './config.ts';
import { dataset, recorded, testSupply, tiny } from './testing/tiny-run.ts';

const { supply, devices } = testSupply();
afterAll(() => {
  for (const device of devices) expect(device.uncaught).toEqual([]);
});

/** Normal for 13 steps, then steps so large that nothing stays finite. */
const settings = { ...optimizers.get('sgd').defaults, lr: 0.01 };
const exploding = tiny({
  optimizer: 'sgd',
  ...settings,
  lastStep: 40,
  learningRate: { schedule: 'step', steps: 40, stepSize: 13, gamma: 1e38 },
});

test('a step that is not finite stops the run and is reported, and the run rolls back', async () => {
  const { run, record } = recorded({ ...exploding, checkpointEvery: { steps: 6 } }, supply);
  run.train();
  await run.settled();
  const failed = record.states.at(-1);
  expect(failed).toMatchObject({ state: 'failed', code: 'diverged', lastGood: 12 });
  expect(failed?.message).toMatch(
    /^Training diverged at step 1[45]: .*"(conv|fc)\.(weight|bias)" is not finite/,
  );
  // No step after the bad one was reported.
  expect(record.reported.at(-1)?.step).toBe(Number(/step (\d+)/.exec(failed?.message ?? '')?.[1]));
  expect(run.steps).toBe(12);

  const good = recorded({ ...exploding, lastStep: 12 }, supply);
  good.run.train();
  await good.run.settled();
  const parameters = await good.run.stateDict();
  expect(await run.stateDict()).toEqual(parameters);
  expect(run.checkpoint).toEqual({ ...good.run.checkpoint, config: run.checkpoint?.config });
  await good.run.close();

  // After a rollback it pauses there, and resumes to the same end.
  await run.rollBack();
  expect(record.states.at(-1)).toMatchObject({ state: 'paused', step: 12 });
  run.train();
  await run.settled();
  expect(record.states.at(-1)).toMatchObject({ state: 'failed', message: failed?.message });
  const { checkpoint } = run;
  await run.close();
  if (!checkpoint) throw new Error('nothing was kept');

  // With a smaller learning rate it succeeds.
  const { learningRate: _schedule, ...config } = checkpoint.config;
  const calm = recorded(resumedConfig({ ...checkpoint, config }, dataset), supply);
  calm.run.train();
  await calm.run.settled();
  expect(calm.record.states.at(-1)).toMatchObject({ state: 'paused', step: 40 });
  await calm.run.close();
});

test('bad from the first step on, it rolls back to the start', async () => {
  const initial = new Map([
    ['conv.weight', { shape: [4, 1, 3, 3], data: new Float32Array(36).fill(3e38) }],
    ['conv.bias', { shape: [4], data: new Float32Array(4) }],
    ['fc.weight', { shape: [4, 64], data: new Float32Array(256).fill(1) }],
    ['fc.bias', { shape: [4], data: new Float32Array(4) }],
  ]);
  const { run, record } = recorded(tiny({ initial }), supply);
  run.train();
  await run.settled();
  expect(record.states.at(-1)).toMatchObject({ state: 'failed', step: expect.any(Number), lastGood: 0 });
  expect(record.states.at(-1)?.message).toMatch(
    /at step 1: the loss is NaN and the gradient of "conv.weight"/,
  );
  expect(await run.stateDict()).toEqual(initial);
  await run.close();
});

const weights = (first: number) =>
  new Map([
    [
      'conv.weight',
      { shape: [4, 1, 3, 3], data: Float32Array.from({ length: 36 }, (_, i) => (i === 7 ? first : 0.1)) },
    ],
    ['conv.bias', { shape: [4], data: new Float32Array(4) }],
    ['fc.weight', { shape: [4, 64], data: Float32Array.from({ length: 256 }, (_, i) => (i % 7) / 10) }],
    ['fc.bias', { shape: [4], data: new Float32Array(4) }],
  ]);

test.each<[string, Partial<TrainingConfig>, RegExp]>([
  ['a weight that is NaN', { initial: weights(NaN) }, /at step 1: .*"conv\.weight"/],
  ['a weight that is infinite', { initial: weights(Infinity) }, /at step 1: .*"conv\.weight"/],
  ['inputs that are not finite', { dataset: { ...dataset, std: [0] } }, /at step 1: .*"conv\.weight"/],
  [
    'a learning rate of 1e6',
    { optimizer: 'sgd', ...optimizers.get('sgd').defaults, lr: 1e6, momentum: 0.9 },
    /at step \d: .*"(conv|fc)\.(weight|bias)"/,
  ],
])('%s: found in the step, with the tensor, and the run can be resumed', async (_, change, message) => {
  const { run, record } = recorded(tiny({ lastStep: 100, ...change }), supply);
  run.train();
  await run.settled();
  expect(record.states.at(-1)).toMatchObject({ state: 'failed', code: 'diverged', lastGood: 0 });
  expect(record.states.at(-1)?.message).toMatch(message);
  await run.rollBack();
  expect(record.states.at(-1)).toMatchObject({ state: 'paused', step: 0 });
  await run.close();
});

test('a run pauses when its test accuracy is reached, and can be resumed', async () => {
  const reasons: string[] = [];
  const stopReason = (reason: string) => reasons.push(reason);
  const config = tiny({ lastStep: 200, stopAccuracy: 0.6 });
  const { run, record } = recorded(config, supply, undefined, { stopReason });
  run.train();
  await run.settled();
  expect(run.state).toBe('paused');
  const stopped = run.steps;
  expect(stopped % 10).toBe(0);
  expect(stopped).toBeLessThan(200);
  const accuracies = record.evaluations.map(({ evaluation }) => evaluation.accuracy);
  expect(accuracies.at(-1)).toBeGreaterThanOrEqual(0.6);
  for (const accuracy of accuracies.slice(0, -1)) expect(accuracy).toBeLessThan(0.6);
  expect(reasons).toEqual([run.stopReason]);
  await run.stepOnce();
  expect([run.steps, run.stopReason]).toEqual([stopped + 1, undefined]);
  await run.close();
});

test('a run pauses when its test accuracy does not improve', async () => {
  // Without learning, accuracy never improves.
  const still = { ...optimizers.get('sgd').defaults, lr: 0 };
  const { run, record } = recorded(tiny({ optimizer: 'sgd', ...still, lastStep: 200, patience: 3 }), supply);
  run.train();
  await run.settled();
  expect(run.steps).toBe(40);
  expect(run.stopReason).toMatch(/No improvement in test accuracy for 3 epochs\. Best: .* in epoch 1/);
  expect(record.evaluations).toHaveLength(4);
  await run.close();
});
