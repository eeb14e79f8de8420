import { afterAll, expect, test } from 'vitest';
import { optimizers } from '../engine/optimizers/registry.ts';
import { resumedConfig } from './checkpoint.ts';
import { dataset, recorded, testSupply, tiny } from './testing.ts';

const { supply, devices } = testSupply();
afterAll(() => {
  for (const device of devices) expect(device.uncaught).toEqual([]);
});

/** Fine for 13 steps, then steps so long that nothing stays finite. */
const settings = { ...optimizers.get('sgd').defaults, lr: 0.01 };
const exploding = tiny({
  optimizer: 'sgd',
  settings,
  lastStep: 40,
  learningRate: { schedule: 'step', steps: 40, stepSize: 13, gamma: 1e38 },
});

test('a step that is not finite stops the run, is named, and the last good copy is back', async () => {
  const { session, record } = recorded({ ...exploding, keepEvery: { steps: 6 } }, supply);
  session.train();
  await session.settled();
  const failed = record.states.at(-1);
  expect(failed).toMatchObject({ state: 'failed', code: 'diverged', lastGood: 12 });
  expect(failed?.message).toMatch(
    /^The training has diverged: at step 1[45] .*"(conv|fc)\.(weight|bias)" is not finite/,
  );
  // No step behind the bad one was told of.
  expect(record.told.at(-1)?.step).toBe(Number(/step (\d+)/.exec(failed?.message ?? '')?.[1]));
  expect(session.steps).toBe(12);

  const good = recorded({ ...exploding, lastStep: 12 }, supply);
  good.session.train();
  await good.session.settled();
  const parameters = await good.session.stateDict();
  expect(await session.stateDict()).toEqual(parameters);
  expect(session.checkpoint).toEqual({ ...good.session.checkpoint, config: session.checkpoint?.config });
  await good.session.close();

  // Gone back to, it rests there, and goes on to the same end.
  await session.goBack();
  expect(record.states.at(-1)).toMatchObject({ state: 'paused', step: 12 });
  session.train();
  await session.settled();
  expect(record.states.at(-1)).toMatchObject({ state: 'failed', message: failed?.message });
  const { checkpoint } = session;
  await session.close();
  if (!checkpoint) throw new Error('nothing was kept');

  // With a smaller learning rate it goes through.
  const { learningRate: _schedule, ...config } = checkpoint.config;
  const calm = recorded(resumedConfig({ ...checkpoint, config }, dataset), supply);
  calm.session.train();
  await calm.session.settled();
  expect(calm.record.states.at(-1)).toMatchObject({ state: 'paused', step: 40 });
  await calm.session.close();
});

test('bad from the first step on, it is back at the start', async () => {
  const initial = new Map([
    ['conv.weight', { shape: [4, 1, 3, 3], data: new Float32Array(36).fill(3e38) }],
    ['conv.bias', { shape: [4], data: new Float32Array(4) }],
    ['fc.weight', { shape: [4, 64], data: new Float32Array(256).fill(1) }],
    ['fc.bias', { shape: [4], data: new Float32Array(4) }],
  ]);
  const { session, record } = recorded(tiny({ initial }), supply);
  session.train();
  await session.settled();
  expect(record.states.at(-1)).toMatchObject({ state: 'failed', step: expect.any(Number), lastGood: 0 });
  expect(record.states.at(-1)?.message).toMatch(
    /at step 1 the loss is NaN and the gradient of "conv.weight"/,
  );
  expect(await session.stateDict()).toEqual(initial);
  await session.close();
});

test('a run rests when its test accuracy is reached, and goes on if asked', async () => {
  const reasons: string[] = [];
  const enough = (reason: string) => reasons.push(reason);
  const config = tiny({ lastStep: 200, stops: { accuracy: 0.6 } });
  const { session, record } = recorded(config, supply, undefined, { enough });
  session.train();
  await session.settled();
  expect(session.state).toBe('paused');
  const stopped = session.steps;
  expect(stopped % 10).toBe(0);
  expect(stopped).toBeLessThan(200);
  const accuracies = record.evaluations.map(({ evaluation }) => evaluation.accuracy);
  expect(accuracies.at(-1)).toBeGreaterThanOrEqual(0.6);
  for (const accuracy of accuracies.slice(0, -1)) expect(accuracy).toBeLessThan(0.6);
  expect(reasons).toEqual([session.reached]);
  await session.stepOnce();
  expect([session.steps, session.reached]).toEqual([stopped + 1, undefined]);
  await session.close();
});

test('a run rests when its test accuracy gets no better', async () => {
  // Without learning there is no second best.
  const still = { ...optimizers.get('sgd').defaults, lr: 0 };
  const { session, record } = recorded(
    tiny({ optimizer: 'sgd', settings: still, lastStep: 200, stops: { patience: 3 } }),
    supply,
  );
  session.train();
  await session.settled();
  expect(session.steps).toBe(40);
  expect(session.reached).toMatch(/not got better for 3 epochs; .* in epoch 1/);
  expect(record.evaluations).toHaveLength(4);
  await session.close();
});
