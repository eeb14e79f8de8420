import { expect, test } from 'vitest';
import { Failure } from '../base/result.ts';
import { asCheckpoint } from './stored-checkpoint.ts';
import { someCheckpoint } from './testing/checkpoint.ts';

const checkpoint = someCheckpoint();

test('a checkpoint is read as it was written', () => {
  expect(asCheckpoint('it', structuredClone(checkpoint))).toEqual(checkpoint);
});

test('a model of more parameters than the checkpoint has is refused', () => {
  const copy = structuredClone(checkpoint) as unknown as { config: { model: { layers: object[] } } };
  const { layers } = copy.config.model;
  layers.splice(-1, 0, { name: 'wide', op: 'linear', attributes: { outFeatures: 2 ** 20 } });
  expect(() => asCheckpoint('it', copy)).toThrow(
    /^it: expected 72352128 parameters for its model, found \d+$/,
  );
});

/** Every place in plain data, as the keys that lead there. */
function* places(value: unknown, path: string[] = []): Generator<string[]> {
  if (path.length > 0) yield path;
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return;
  for (const key of Object.keys(value))
    yield* places((value as Record<string, unknown>)[key], [...path, key]);
}

const ODD = [null, undefined, 'x', '', {}, [], -1, 0.5, 1e300, true, [null], { a: [] }, '__proto__'];

test('odd content anywhere is a checkpoint still, or a failure that is short: nothing else is thrown', () => {
  let refused = 0;
  for (const path of places(checkpoint)) {
    for (const odd of ODD) {
      const copy = structuredClone(checkpoint) as unknown as Record<string, unknown>;
      const last = path.at(-1) as string;
      const parent = path.slice(0, -1).reduce((inner, key) => inner[key] as Record<string, unknown>, copy);
      parent[last] = odd;
      try {
        asCheckpoint('it', copy);
      } catch (error) {
        expect(error, `${path.join('.')} = ${JSON.stringify(odd)}`).toBeInstanceOf(Failure);
        expect((error as Failure).message.length).toBeLessThan(1000);
        refused++;
      }
    }
  }
  expect(refused).toBeGreaterThan(100);
});

interface Loose {
  dataset: { mean: unknown };
  snapshot: unknown;
  history: unknown;
  config: { model: { layers: { op: string }[] } };
}

test.each<[string, (one: Loose) => void, RegExp]>([
  [
    'dataset.mean',
    (one) => (one.dataset.mean = [null]),
    /expected dataset\.mean\.0 to be number, found null/,
  ],
  ['snapshot', (one) => (one.snapshot = {}), /expected snapshot to be parameters/],
  ['history', (one) => (one.history = {}), /expected a value for history\./],
  ['model', (one) => (one.config.model.layers[0].op = 'magic'), /the model.*magic/],
])('%s that is wrong is named', (_, change, message) => {
  const copy = structuredClone(checkpoint) as unknown as Loose;
  change(copy);
  expect(() => asCheckpoint('it', copy)).toThrow(message);
});
