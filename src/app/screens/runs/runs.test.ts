import { describe, expect, test } from 'vitest';
import { completed } from '../../../run/settings/rules.ts';
import type { RunConfig } from '../../../worker/api.ts';
import { readMetrics, writeMetrics } from '../../../run/metrics/csv.ts';
import { continued, thinned, type Points } from '../../../run/metrics/points.ts';
import { filesOf, readRun } from './archive.ts';
import { difference, settingLines, sideBySide } from './differences.ts';
import { nameOf } from '../../journal/names.ts';
import { originLine, originOf, stepsBefore } from '../../journal/origin.ts';
import { bestAccuracy, evaluationsWith, type RunRecord } from '../../journal/record.ts';

const config: RunConfig = { ...completed({}), model: 'lenet5', dataset: 'digits' };

/** A point at each step from `first` on; the loss is 1 / step. */
const points = (first: number, count: number): Points => {
  const step = Float64Array.from({ length: count }, (_, i) => first + i);
  const loss = Float32Array.from(step, (at) => 1 / at);
  return { step, loss, smoothLoss: loss, accuracy: loss, smoothAccuracy: loss };
};

const record: RunRecord = {
  id: 'a',
  name: 'brave-otter-1',
  number: 1,
  began: 1e12,
  kept: 2e12,
  config,
  model: 'LeNet-5',
  dataset: 'Synthetic digits',
  classes: ['0', '1'],
  adapter: 'a GPU',
  software: false,
  state: 'paused',
  step: 3,
  epoch: 1,
  trainedMs: 1500,
  imagesPerSecond: 800,
  points: points(1, 3),
  evaluations: [{ step: 2, epoch: 1, testLoss: 0.5, testAccuracy: 0.75 }],
  confusion: Uint32Array.of(3, 1, 0, 4),
  choices: { conv1: { fprop: { algorithm: 'direct', by: 'get' } } } as unknown as RunRecord['choices'],
  parent: { id: 'b', name: 'calm-otter-2', step: 7 },
  weights: { step: 3, bytes: 4 },
  starred: true,
  note: 'the first',
};

const never = (): Promise<never> => Promise.reject(new Error('asked for'));

describe('names', () => {
  test('follow from the seed and the number, and differ', () => {
    expect(nameOf(1, 1)).toBe(nameOf(1, 1));
    expect(nameOf(7, 12)).toMatch(/^[a-z]+-[a-z]+-12$/);
    expect(new Set(Array.from({ length: 200 }, (_, i) => nameOf(1, i + 1))).size).toBe(200);
  });
});

describe('differences', () => {
  test('are short, and empty if there are none', () => {
    const slower = { ...config, batchSize: 128, lr: 0.0003 };
    expect(difference(config, slower)).toBe('batch 64 → 128, lr 1e-3 → 3e-4');
    expect(difference(config, { ...config, record: 'x' })).toBe('');
  });

  test('settings that do not apply to a run have no value', () => {
    const sgd: RunConfig = { ...config, optimizer: 'sgd', lr: 0.05, momentum: 0.9 };
    expect(difference(config, sgd)).toBe(
      'optimiser adam → sgd, lr 1e-3 → 0.05, momentum – → 0.9, nesterov – → no, eps 1e-8 → –',
    );
  });

  test('side by side: differences, or all settings', () => {
    const both = [config, { ...config, seed: 2 }].map(settingLines);
    expect(sideBySide(both, false)).toEqual([{ title: 'Seed', values: ['1', '2'], differs: true }]);
    expect(sideBySide(both, true).length).toBeGreaterThan(10);
    expect(sideBySide([], true)).toEqual([]);
  });
});

describe('origins', () => {
  const run = (id: string, parent?: RunRecord['parent']) =>
    ({ id, name: `now ${id}`, ...(parent ? { parent } : {}) }) as RunRecord;
  const first = run('1');
  const fork = run('2', { id: '1', name: 'then 1', step: 1000 });
  const again = run('3', { id: '2', name: 'then 2', step: 20 });
  const later = run('4', { id: '3', name: 'then 3' });
  const all = [first, fork, again, later];

  test('a fork is distinguished from the run before, by the current or former name of its parent', () => {
    expect(originOf(again, all)).toEqual({ name: 'now 2', step: 20 });
    expect(originOf(fork, [fork])).toEqual({ name: 'then 1', step: 1000 });
    expect(originOf(first, all) ?? originOf(later, all)).toBeUndefined();
    expect(originLine(fork, all).value).toBe('now 1, step 1,000');
    expect(originLine(first, all).value).toBe('drawn');
  });

  test('steps of all earlier runs count', () => {
    expect(all.map((one) => stepsBefore(one, all))).toEqual([0, 1000, 1020, 0]);
    expect(stepsBefore(again, [again])).toBe(20);
  });
});

describe('points', () => {
  test('are thinned to means at the last step of each group', () => {
    const thin = thinned(points(1, 3000), 2049);
    expect(thin.step.length).toBe(683);
    expect([thin.step[0], thin.step.at(-1)]).toEqual([3, 2049]);
    expect(thin.loss[0]).toBeCloseTo((1 + 1 / 2 + 1 / 3) / 3, 6);
    expect(thinned(points(1, 5), 5)).toEqual(points(1, 5));
  });

  test('of a resumed run replace repeated steps', () => {
    expect([...continued(points(1, 10), points(8, 5)).step]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(continued(points(1, 4), points(1, 0))).toEqual(points(1, 4));
  });

  test('evaluations from before a reload stay, repeated ones are replaced', () => {
    const at = (step: number, testAccuracy: number) => ({ step, epoch: 1, testLoss: 1, testAccuracy });
    const before = [at(10, 0.1), at(15, 0.2), at(20, 0.3), at(30, 0.4)];
    const merged = evaluationsWith(before, [at(10, 0.5), at(20, 0.6), at(40, 0.7)], 25);
    expect(merged).toEqual([at(10, 0.5), at(15, 0.2), at(20, 0.6), at(40, 0.7)]);
  });

  test('the best accuracy is that of an evaluation', () => {
    expect(bestAccuracy(record)).toBe(0.75);
    expect(bestAccuracy({ evaluations: [] })).toBeUndefined();
  });
});

describe('archives', () => {
  const weights = Uint8Array.of(1, 2, 3, 4);
  const files = () => filesOf(record, '{}', weights);
  const change = (path: string, how: (text: string) => string) =>
    files().map((file) =>
      file.path === path
        ? { path, bytes: new TextEncoder().encode(how(new TextDecoder().decode(file.bytes))) }
        : file,
    );

  test('can be read again', async () => {
    const read = await readRun(files(), never);
    const { id: _id, number: _number, weights: _weights, ...rest } = record;
    expect(read.record).toEqual({ ...rest, starred: false, state: 'stopped', kept: read.record.kept });
    expect(read.weights).toEqual({ step: 3, bytes: weights });
  });

  test('metrics are rows by step, with evaluations where there were any', () => {
    const csv = writeMetrics(record);
    expect(csv.split('\n')[1]).toBe('1,1,1,1,1,,,');
    expect(csv.split('\n')[2]).toBe('2,0.5,0.5,0.5,0.5,1,0.5,0.75');
    expect(readMetrics(csv)).toEqual({ points: record.points, evaluations: record.evaluations });
  });

  test('report which part is wrong', async () => {
    const refusal = async (path: string, from: string | RegExp, to: string, message: RegExp) => {
      const changed = change(path, (text) => text.replace(from, to));
      await expect(readRun(changed, never)).rejects.toThrow(message);
    };
    await refusal('config.json', 'wgrad run', 'a song', /config\.json: expected format to be "wgrad run"/);
    await refusal(
      'config.json',
      '"version": 2',
      '"version": 9',
      /expected a version of the format up to 2, found 9/,
    );
    await refusal(
      'config.json',
      '"lr": 0.001',
      '"lr": "fast"',
      /config\.json: expected lr to be a number greater than 0, found "fast"/,
    );
    await refusal('config.json', '"adam"', '"magic"', /expected optimizer to be one of sgd, adam/);
    await refusal('config.json', /\[\s+3,/, '[', /confusion of 4 counts/);
    await refusal('config.json', '{', '', /config\.json: expected JSON/);
    await refusal('metrics.csv', '2,0.5', '2,=1+1', /metrics\.csv: expected line 3/);
    await refusal('metrics.csv', '\n2,', '\n1,', /the steps growing/);
    const without = files().filter(({ path }) => path !== 'timings.json');
    await expect(readRun(without, never)).rejects.toThrow(/a file timings\.json/);
  });

  test('a built model is read from its own file', async () => {
    const model = { name: 'own', title: 'Own', description: '', input: [1, 28, 28], classes: 2, layers: [] };
    const built = filesOf({ ...record, config: { ...config, model } }, 'the model');
    const read = await readRun(built, async (text) => ({ ...model, title: text }));
    expect(read.record.config.model).toEqual({ ...model, title: 'the model' });
    expect(read.weights).toBeUndefined();
  });
});
