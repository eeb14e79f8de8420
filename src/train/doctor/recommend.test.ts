import { expect, test } from 'vitest';
import type { CheckResult } from './check.ts';
import { rateFix } from './rate.ts';
import { recommend, standsBeside } from './recommend.ts';

type Advised = Parameters<typeof recommend>[0][number];

const finding = (check: string, light: CheckResult['light'], more: Partial<Advised> = {}): Advised => ({
  ...{ check, title: check, light, advice: `Mend ${check}.` },
  ...more,
});
const fix = (lr: number, tried = false) => ({ fix: { ...rateFix(lr), ...(tried ? { tried: true } : {}) } });

/** What the checks say of a learning rate of 0.1. */
const tooHigh = [
  finding('overfit', 'watch', fix(0.003, true)),
  finding('dead-relus', 'bad', fix(0.033)),
  finding('update-ratios', 'bad', fix(0.01)),
  finding('zeroed-inputs', 'watch'),
];

test('the learning rate that was tried comes before those that only follow from a number', () => {
  const recommended = recommend(tooHigh, 0.1);
  expect(recommended).toMatchObject({ check: 'overfit', text: 'Lower the learning rate to 0.003.' });
  expect(recommended?.fix?.settings).toEqual({ lr: 0.003 });
  // Nothing else on the learning rate is said beside it.
  expect(tooHigh.filter(({ check }) => standsBeside(check, recommended)).map(({ check }) => check)).toEqual([
    'overfit',
  ]);
  expect(standsBeside('labels', recommended)).toBe(true);
});

test('what no learning rate mends comes first', () => {
  const labels = finding('labels', 'bad');
  expect(recommend([...tooHigh, labels], 0.1)).toEqual({ check: 'labels', text: 'labels: Mend labels.' });
  expect(recommend([labels, finding('gradients', 'bad')], 0.1)?.check).toBe('gradients');
  // A warning is none of these.
  expect(recommend([finding('labels', 'watch'), ...tooHigh], 0.1)?.check).toBe('overfit');
});

test('a failure before a warning, a change of settings before words, and nothing where all is well', () => {
  const [, dead, , zeroed] = tooHigh;
  expect(recommend([zeroed, dead], 0.1)?.text).toBe('Lower the learning rate to 0.033.');
  expect(recommend([finding('update-ratios', 'watch', fix(0.3))], 0.1)?.text).toBe(
    'Raise the learning rate to 0.3.',
  );
  expect(recommend([finding('overfit', 'good', { advice: undefined })], 0.1)).toBeUndefined();
});
