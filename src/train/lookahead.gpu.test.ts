/** Runs with lookahead: their slow weights, and the fast ones that return to them. */
import { expect, test } from 'vitest';
import { lookaheadStep } from '../engine/average/reference.ts';
import { inferShapes, layoutParameters } from '../engine/network.ts';
import type { ParameterSnapshot } from '../engine/parameters.ts';
import { expectClose } from '../engine/testing/check.ts';
import { resumedConfig, type Checkpoint } from './checkpoint.ts';
import type { TrainingConfig } from './config.ts';
import { forkOf } from './fork.ts';
import { cleanSupply, dataset, recorded, residual, tiny, trainedRun } from './testing/tiny-run.ts';

const supply = cleanSupply();
const layout = layoutParameters(inferShapes(residual.layers, [1, ...residual.input]));

const SGD = { model: residual, optimizer: 'sgd', lr: 0.05, momentum: 0.9 } as const;
/** A run with a return in every third step. */
const ahead = (lastStep: number, change: Partial<TrainingConfig> = {}): TrainingConfig =>
  tiny({
    ...SGD,
    ...{ lookahead: 3, lastStep, learningRate: { schedule: 'constant', steps: lastStep } },
    ...change,
  });

async function finished(config: TrainingConfig, onSteps?: (last: number) => void) {
  const { record, parameters, checkpoint } = await trainedRun(config, supply, onSteps);
  const { losses, evaluations } = record;
  const { snapshot } = checkpoint as Checkpoint;
  return { losses, evaluation: evaluations.at(-1)?.evaluation, parameters, snapshot };
}

/** The moves of step `t`, by the reference, from what a step without lookahead has left. Counts stay. */
function returned(
  { parameters, buffers, ...rest }: ParameterSnapshot,
  slow: { parameters: Float64Array; buffers: Float64Array },
  at: Parameters<typeof lookaheadStep>[0],
): ParameterSnapshot {
  const fast = { parameters: Float64Array.from(parameters), buffers: Float64Array.from(buffers) };
  lookaheadStep(at, fast.parameters, slow.parameters);
  for (const { offset, length, counts } of layout.buffers.entries) {
    if (counts) continue;
    const [of, end] = [offset, offset + length];
    lookaheadStep(at, fast.buffers.subarray(of, end), slow.buffers.subarray(of, end));
  }
  return {
    ...rest,
    parameters: Float32Array.from(fast.parameters),
    buffers: Float32Array.from(fast.buffers),
  };
}

test.each([2, 3, 7, 12])('a run of %i steps is as the reference makes it of single steps', async (steps) => {
  const found = await finished(ahead(steps));
  const start = (await finished(tiny({ ...SGD, lastStep: 1, lr: 0 }))).snapshot;
  const slow = {
    parameters: Float64Array.from(start['parameters']),
    buffers: new Float64Array(layout.buffers.length),
  };
  for (const { offset, length, initial } of layout.buffers.entries)
    slow.buffers.fill(initial, offset, offset + length);
  const losses: number[] = [];
  let before: Checkpoint | undefined;
  for (let t = 1; t <= steps; t++) {
    const config = before ? resumedConfig(before, dataset, { lastStep: t }) : tiny({ ...SGD, lastStep: 1 });
    const { record, checkpoint } = await trainedRun(config, supply);
    losses.push(record.losses[t - 1]);
    const done = checkpoint as Checkpoint;
    before = { ...done, snapshot: returned(done.snapshot, slow, { every: 3, t, steps }) };
  }
  expectClose('losses', Float32Array.from(found.losses), Float64Array.from(losses), 1e-6);
  const { snapshot } = before as Checkpoint;
  for (const name of ['parameters', 'buffers', 'momentum_buffer'])
    expectClose(name, found.snapshot[name], Float64Array.from(snapshot[name]), 1e-6);
  expectClose('slow parameters', found.snapshot['average_parameters'], slow.parameters, 1e-6);
  // What it evaluates and saves are the slow ones, also between two returns; batches are counted in full.
  for (const { name, offset, length, ...entry } of [...layout.entries, ...layout.buffers.entries]) {
    const isBuffer = layout.buffers.entries.some((one) => one.name === name);
    const from = isBuffer ? slow.buffers : slow.parameters;
    const wanted =
      'counts' in entry && entry.counts ? Float64Array.of(steps) : from.subarray(offset, offset + length);
    expectClose(name, found.parameters.get(name)?.data ?? new Float32Array(), wanted, 1e-6);
  }
});

test('slow weights are used to evaluate; a run from them starts at their values', async () => {
  const whole = await finished(ahead(10));
  const fast = await finished(tiny({ ...SGD, lastStep: 10 }));
  expect(whole.evaluation?.loss).not.toBe(fast.evaluation?.loss);
  const { run } = recorded(tiny({ model: residual, initial: whole.parameters }), supply);
  expect(await run.evaluate('test')).toEqual(whole.evaluation);
  await run.close();
});

test('frozen layers and parameters with a factor of 0 stay to the bit', async () => {
  const { parameters } = await finished(ahead(9, { freeze: ['conv1'], lrFactors: ['fc.weight=0'] }));
  const { parameters: start } = await finished(tiny({ ...SGD, lastStep: 1, lr: 0 }));
  for (const name of ['conv1.weight', 'fc.weight']) expect(parameters.get(name)).toEqual(start.get(name));
  expect(parameters.get('conv2.weight')).not.toEqual(start.get('conv2.weight'));
});

test('the copy of the weights that mixed precision multiplies follows those that return', async () => {
  const mixed = { number: 'f32', scaling: { initial: 2 ** 10, patience: 3 } } as const;
  const { snapshot: _, ...plain } = await finished(ahead(12));
  const { snapshot: _scaled, ...found } = await finished(ahead(12, { mixed }));
  expect(found).toEqual(plain);
});

test('slow weights survive a lost device', async () => {
  let lost = false;
  const disturbed = await finished(ahead(30), (last) => {
    if (last < 13 || lost) return;
    lost = true;
    void supply.get().then((device) => device.destroy());
  });
  expect(lost).toBe(true);
  expect(disturbed).toEqual(await finished(ahead(30)));
});

test('a fork counts its own steps', async () => {
  const { checkpoint } = await trainedRun(tiny({ ...SGD, lastStep: 4 }), supply);
  const { fork } = forkOf(checkpoint as Checkpoint, ahead(3));
  const { snapshot } = await finished(ahead(3, { fork }));
  expect(snapshot['parameters']).toEqual(snapshot['average_parameters']);
  expect(snapshot['parameters']).not.toEqual(fork.snapshot['parameters']);
});

test('a run without an end is refused', () => {
  expect(() => recorded(tiny({ lookahead: 5 }), supply)).toThrow(
    'lookahead: expected a run of so many steps, found one without an end',
  );
});
