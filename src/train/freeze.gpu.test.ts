/** Frozen layers: their parameters keep their bits, and everything else is unaffected. */
import { afterAll, describe, expect, test } from 'vitest';
import type { Layer } from '../engine/graph.ts';
import type { Model } from '../models/model.ts';
import { resumedConfig, type Checkpoint } from './checkpoint.ts';
import type { TrainingConfig } from './config.ts';
import { dataset, recorded, residual, testSupply, tiny, trainedRun } from './testing/tiny-run.ts';

const { supply, devices } = testSupply();
afterAll(async () => {
  (await supply.get()).destroy();
  expect(devices[0].ledger).toMatchObject({ buffers: 0, bytes: 0 });
});

async function finished(change: Partial<TrainingConfig>) {
  const { record, parameters, checkpoint } = await trainedRun(tiny(change), supply);
  expect(record.states.at(-1)).toMatchObject({ state: 'paused' });
  const norms = record.rows.map(({ gradientNorm }) => gradientNorm);
  return { parameters, losses: record.losses, norms, checkpoint };
}

const data = (parameters: Awaited<ReturnType<typeof finished>>['parameters'], name: string) =>
  parameters.get(name)?.data;

test.each(['sgd', 'adam', 'adamw', 'rmsprop'] as const)(
  '%s: frozen parameters keep their bits, the first step of the others is as without',
  async (optimizer) => {
    const change = { optimizer, model: residual, weightDecay: 0.1, lr: 0.01 } as const;
    const start = await finished({ ...change, lr: 0, weightDecay: 0, lastStep: 1 });
    const plain = await finished({ ...change, lastStep: 1 });
    const frozen = await finished({ ...change, freeze: ['conv1', 'fc'], lastStep: 1 });
    for (const name of frozen.parameters.keys()) {
      const isFrozen = /^(conv1|fc)\./.test(name);
      expect(data(frozen.parameters, name), name).toEqual(data((isFrozen ? start : plain).parameters, name));
    }
  },
);

describe('frozen batch norm', () => {
  const names = ['bn1', 'bn2'];

  test('normalises by its running statistics, which keep their bits', async () => {
    const change = { model: residual, freeze: ['conv1', 'conv2', ...names], lr: 0, lastStep: 10 };
    const { parameters, losses } = await finished(change);
    for (const name of names) expect([...data(parameters, `${name}.running_mean`)!]).toEqual([0, 0, 0, 0]);
    // An epoch's steps are then an evaluation.
    const { run } = recorded(tiny({ model: residual, initial: parameters }), supply);
    const { loss } = await run.evaluate('train');
    await run.close();
    expect(losses.reduce((sum, one) => sum + one, 0) / losses.length).toBeCloseTo(loss, 5);
  });

  /** With initial statistics it divides by the root of 1 + eps, which changes little. */
  test.each([
    ['in a residual block', residual],
    ['behind a ReLU', after({ name: 'relu', op: 'relu' }, { name: 'bn1', op: 'batch_norm' })],
  ])('%s passes gradients as if it were not there', async (_, model) => {
    const change = { optimizer: 'sgd', lr: 0.05, lastStep: 3 } as const;
    const frozen = await finished({ ...change, model, freeze: names.filter((name) => has(model, name)) });
    const without = await finished({ ...change, model: withoutNorms(model) });
    expect(frozen.losses).toHaveLength(3);
    without.parameters.forEach((tensor, name) => {
      const found = data(frozen.parameters, name)!;
      tensor.data.forEach((value, i) => expect(found[i], name).toBeCloseTo(value, 4));
    });
  });
});

const has = ({ layers }: Model, name: string) => layers.some((layer) => layer.name === name);

/** A convolution, then these layers, then a linear one. */
function after(...layers: readonly Layer[]): Model {
  const [conv, , , flatten, fc] = tiny().model.layers;
  return { ...tiny().model, layers: [conv, ...layers, flatten, fc] };
}

const withoutNorms = (model: Model): Model => ({
  ...model,
  layers: model.layers
    .filter(({ op }) => op !== 'batch_norm')
    .map((layer) => ({
      ...layer,
      ...(layer.inputs ? { inputs: layer.inputs.map((name) => name.replace(/^bn/, 'conv')) } : {}),
    })),
});

test('norms, and so clipping, count only trained parameters', async () => {
  const still: Partial<TrainingConfig> = { measures: true, lastStep: 1 };
  const [all, conv, fc] = [
    await finished(still),
    await finished({ ...still, freeze: ['fc'] }),
    await finished({ ...still, freeze: ['conv'] }),
  ].map(({ norms }) => norms[0] as number);
  expect(Math.hypot(conv, fc)).toBeCloseTo(all, 5);
  expect(conv).toBeLessThan(all);
});

test('a checkpoint resumes with it, to the same bits', async () => {
  const change = { freeze: ['conv'], optimizer: 'sgd', momentum: 0.9 } as const;
  const whole = await finished({ ...change, lastStep: 12 });
  const half = await finished({ ...change, lastStep: 7 });
  const config = resumedConfig(half.checkpoint as Checkpoint, dataset, { lastStep: 12 });
  expect(config.freeze).toEqual(['conv']);
  const { run, record } = recorded(config, supply);
  run.train();
  await run.settled();
  expect(record.losses.slice(7)).toEqual(whole.losses.slice(7));
  expect(await run.stateDict()).toEqual(whole.parameters);
  await run.close();
});

test('an unknown layer is refused, with a list of the layers', async () => {
  const { run, record } = recorded(tiny({ freeze: ['conv2'] }), supply);
  run.train();
  await run.settled();
  expect(record.states.at(-1)).toMatchObject({ state: 'failed', code: 'bad-input' });
  expect(record.states.at(-1)?.message).toMatch(/no layer with parameters is named "conv2"/);
  await run.close();
});
