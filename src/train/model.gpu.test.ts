/** How a run prepares its model. */
import { describe, expect, test } from 'vitest';
import { initialize } from '../engine/init.ts';
import { models } from '../models/index.ts';
import { recorded, cleanSupply, tiny } from './testing/tiny-run.ts';

const mlp = models.get('mlp');

const supply = cleanSupply();

test('it is fitted to the images and their classes', async () => {
  const { run, record } = recorded(tiny({ model: mlp, lastStep: 20 }), supply);
  expect(run.config.model).toMatchObject({ name: 'mlp', input: [1, 8, 8], classes: 4 });
  run.train();
  await run.settled();
  expect(record.losses[19]).toBeLessThan(record.losses[0]);
  const state = await run.stateDict();
  expect(state.get('fc1.weight')?.shape).toEqual([256, 64]);
  expect(state.get('fc3.weight')?.shape).toEqual([4, 128]);
  await run.close();
});

describe('initial parameters', () => {
  const filters = { name: 'weight', shape: [4, 1, 3, 3], fanIn: 9, fanOut: 36 };

  test.each([
    ['as asked for', 'xavier_normal', undefined, 'xavier_normal'],
    ['as the model says', undefined, 'kaiming_normal', 'kaiming_normal'],
    ['as asked for, whatever the model says', 'xavier_uniform', 'kaiming_normal', 'xavier_uniform'],
    ['else as in PyTorch', undefined, undefined, 'kaiming_uniform'],
  ] as const)('%s', async (_, asked, own, expected) => {
    const { model } = tiny();
    const config = tiny({
      model: { ...model, ...(own ? { weightsInit: own } : {}) },
      ...(asked ? { weightsInit: asked } : {}),
    });
    const { run } = recorded(config, supply);
    const state = await run.stateDict();
    await run.close();
    expect(state.get('conv.weight')?.data).toEqual(initialize(1, 'conv.weight', filters, expected));
  });
});
