import { describe, expect, test } from 'vitest';
import { readMetrics, writeMetrics } from '../../run/metrics/csv.ts';
import type { Points } from '../../run/metrics/points.ts';
import { completed } from '../../run/settings/rules.ts';
import type { RunConfig, StoredRun } from '../api.ts';
import { nameOf } from './names.ts';
import { evaluationsWith } from './evaluations.ts';
import { asStoredRun } from './stored/record.ts';
import { filesOf, readArchive } from './archive/format.ts';
import { storedRun } from './testing/stored-run.ts';

const config: RunConfig = { ...completed({}), model: 'lenet5', dataset: 'digits' };

/** A point at each step from `first` on; the loss is 1 / step. */
const points = (first: number, count: number): Points => {
  const step = Float64Array.from({ length: count }, (_, i) => first + i);
  const loss = Float32Array.from(step, (at) => 1 / at);
  return { step, loss, smoothLoss: loss, accuracy: loss, smoothAccuracy: loss };
};

const record = storedRun({
  ...{ config, state: 'paused', step: 3, imagesPerSecond: 800, starred: true, note: 'the first' },
  evaluations: [{ step: 2, epoch: 1, testLoss: 0.5, testAccuracy: 0.75 }],
  confusion: [3, 1, 0, 4],
  choices: { conv1: { fprop: { algorithm: 'direct', by: 'get' } } } as unknown as StoredRun['choices'],
  parent: { id: 'b', name: 'calm-otter-2', step: 7 },
  weights: { step: 3 },
});

const never = (): Promise<never> => Promise.reject(new Error('asked for'));

describe('names', () => {
  test('follow from the seed and the number, and differ', () => {
    expect(nameOf(1, 1)).toBe(nameOf(1, 1));
    expect(nameOf(7, 12)).toMatch(/^[a-z]+-[a-z]+-12$/);
    expect(new Set(Array.from({ length: 200 }, (_, i) => nameOf(1, i + 1))).size).toBe(200);
  });
});

describe('records', () => {
  test('evaluations from before a reload stay, repeated ones are replaced', () => {
    const at = (step: number, testAccuracy: number) => ({ step, epoch: 1, testLoss: 1, testAccuracy });
    const before = [at(10, 0.1), at(15, 0.2), at(20, 0.3), at(30, 0.4)];
    const merged = evaluationsWith(before, [at(10, 0.5), at(20, 0.6), at(40, 0.7)], 25);
    expect(merged).toEqual([at(10, 0.5), at(15, 0.2), at(20, 0.6), at(40, 0.7)]);
  });

  test('are read as they were written; what is damaged is named, or left out', () => {
    const read = (change: object) => asStoredRun('it', JSON.parse(JSON.stringify({ ...record, ...change })));
    expect(read({})).toEqual(record);
    expect(read({ evaluations: [{ ...record.evaluations[0], testLoss: NaN }] }).evaluations[0].testLoss).toBe(
      NaN,
    );
    expect(read({ confusion: [1, 2, 3] }).confusion).toBeUndefined();
    expect(read({ evaluations: 'none', sketch: null, choices: [] })).toMatchObject({
      evaluations: [],
      sketch: [],
    });
    expect(() => read({ config: { ...config, lr: 'fast' } })).toThrow(/it: expected lr to be a number/);
    expect(() => read({ id: '../../x' })).toThrow(/it: expected id/);
    expect(() => asStoredRun('it', null)).toThrow(/it: expected Object/);
  });
});

describe('archives', () => {
  const weights = Uint8Array.of(1, 2, 3, 4);
  const files = () => filesOf(record, '{}', { points: points(1, 3), weights: { step: 3, bytes: weights } });
  const change = (path: string, how: (text: string) => string) =>
    files().map((file) =>
      file.path === path
        ? { path, bytes: new TextEncoder().encode(how(new TextDecoder().decode(file.bytes))) }
        : file,
    );

  test('can be read again', async () => {
    const read = await readArchive(files(), never);
    const { id: _id, number: _number, weights: _weights, sketch: _sketch, ...rest } = record;
    expect(read.record).toEqual({ ...rest, starred: false, state: 'stopped', kept: read.record.kept });
    expect(read.weights).toEqual({ step: 3, bytes: weights });
    expect(read.points).toEqual(points(1, 3));
  });

  test('metrics are rows by step, with evaluations where there were any', () => {
    const csv = writeMetrics({ points: points(1, 3), evaluations: record.evaluations });
    expect(csv.split('\n')[1]).toBe('1,1,1,1,1,,,');
    expect(csv.split('\n')[2]).toBe('2,0.5,0.5,0.5,0.5,1,0.5,0.75');
    expect(readMetrics(csv)).toEqual({ points: points(1, 3), evaluations: record.evaluations });
  });

  test('report which part is wrong', async () => {
    const refusal = async (path: string, from: string | RegExp, to: string, message: RegExp) => {
      const changed = change(path, (text) => text.replace(from, to));
      await expect(readArchive(changed, never)).rejects.toThrow(message);
    };
    await refusal('config.json', 'wgrad run', 'a song', /config\.json: expected format to be "wgrad run"/);
    for (const other of [1, 9])
      await refusal(
        'config.json',
        '"version": 2',
        `"version": ${other}`,
        RegExp(`expected version 2 of the format, found ${other}`),
      );
    await refusal(
      'config.json',
      '"lr": 0.001',
      '"lr": "fast"',
      /config\.json: expected lr to be a number greater than 0, found "fast"/,
    );
    await refusal('config.json', '"adam"', '"magic"', /expected optimizer to be one of sgd, adam/);
    await refusal('config.json', /\[\s+3,/, '[', /confusion matrix of 4 counts/);
    await refusal('config.json', '{', '', /config\.json: expected JSON/);
    await refusal('metrics.csv', '2,0.5', '2,=1+1', /metrics\.csv: expected line 3/);
    await refusal('metrics.csv', '\n2,', '\n1,', /with increasing steps/);
    const without = files().filter(({ path }) => path !== 'timings.json');
    await expect(readArchive(without, never)).rejects.toThrow(/a file timings\.json/);
  });

  test('a built model is read from its own file', async () => {
    const model = { name: 'own', title: 'Own', description: '', input: [1, 28, 28], classes: 2, layers: [] };
    const built = filesOf({ ...record, config: { ...config, model } }, 'the model', { points: points(1, 3) });
    const read = await readArchive(built, async (text) => ({ ...model, title: text }));
    expect(read.record.config.model).toEqual({ ...model, title: 'the model' });
    expect(read.weights).toBeUndefined();
  });
});
