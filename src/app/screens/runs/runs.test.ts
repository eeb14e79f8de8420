import { describe, expect, test } from 'vitest';
import { completed } from '../../../run/settings/rules.ts';
import type { RunConfig } from '../../../worker/api.ts';
import { difference, settingLines, sideBySide } from './differences.ts';
import { originLine, originOf, stepsBefore } from '../../journal/origin.ts';
import { bestAccuracy, lastTest, rateOf, testedOn, type RunRecord } from '../../journal/record.ts';

const config: RunConfig = { ...completed({}), model: 'lenet5', dataset: 'digits' };

describe('differences', () => {
  test('are short, and empty if there are none', () => {
    const slower = { ...config, batchSize: 128, lr: 0.0003 };
    expect(difference({ config }, { config: slower })).toBe('batch 64 → 128, lr 1e-3 → 3e-4');
    expect(difference({ config }, { config: { ...config, record: 'x' } })).toBe('');
  });

  test('settings that do not apply to a run have no value; those that follow from another optimiser are no difference', () => {
    const sgd: RunConfig = { ...config, optimizer: 'sgd', lr: 0.05, momentum: 0.9 };
    expect(difference({ config }, { config: sgd })).toBe(
      'optimiser Adam → SGD, lr 1e-3 → 0.05, momentum – → 0.9',
    );
    expect(difference({ config: sgd }, { config: { ...config, eps: 1e-6 } })).toBe(
      'optimiser SGD → Adam, lr 0.05 → 1e-3, momentum 0.9 → –, eps – → 1e-6',
    );
  });

  test('changes during a run are listed with their steps', () => {
    const changes = [
      { step: 300, lr: 0.01 },
      { step: 1500, patience: 2 },
      { step: 2000, patience: null },
    ];
    const changed = { config, changes };
    expect(difference({ config }, changed)).toBe(
      'lr 1e-3 → 1e-3, 0.01 after step 300, patience none → none, 2 after step 1,500, none after step 2,000',
    );
  });

  test('side by side: differences, or all settings', () => {
    const both = [config, { ...config, seed: 2 }].map((one) => settingLines({ config: one }));
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
    expect(originLine(first, all).value).toBe('none');
  });

  test('steps of all earlier runs count', () => {
    expect(all.map((one) => stepsBefore(one, all))).toEqual([0, 1000, 1020, 0]);
    expect(stepsBefore(again, [again])).toBe(20);
  });
});

test('the best accuracy is that of an evaluation, and the rate that of the whole run', () => {
  const run = { evaluations: [{ step: 2, epoch: 1, testLoss: 0.5, testAccuracy: 0.75 }] };
  expect(bestAccuracy(run)).toBe(0.75);
  expect(bestAccuracy({ evaluations: [] })).toBeUndefined();
  const evaluations = [0.9925, 0.986].map((testAccuracy, i) => ({
    step: i,
    epoch: i,
    testLoss: 0,
    testAccuracy,
  }));
  expect(lastTest({ evaluations })?.testAccuracy).toBe(0.986);
  expect(testedOn({ confusion: Uint32Array.of(5, 1, 0, 6) })).toBe(12);
  const fast = { step: 4300, trainedMs: 64_000, config: { ...config, batchSize: 64 } } as RunRecord;
  // Not what an archive says.
  expect(rateOf({ ...fast, imagesPerSecond: 3_200_000 })).toBe(4300);
  expect(rateOf({ ...fast, step: 0 })).toBeUndefined();
});
