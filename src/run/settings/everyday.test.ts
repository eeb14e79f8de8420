import { expect, test } from 'vitest';
import { EVERYDAY_METRICS, type MetricKey } from '../metrics/everyday.ts';
import { evaluationMetrics, stepMetrics } from '../metrics/table.ts';
import { EVERYDAY_SETTINGS } from './everyday.ts';
import { HINTS } from './hints.ts';
import { SETTING_KEYS } from './table.ts';

/** Words that a newcomer would have to look up. */
const JARGON =
  /gradient|batch|epoch|tensor|parameter|logit|convolution|regulari|normali|hyper|optimi|entropy|converge|\bL2\b|norm\b/i;

const sentences: readonly [name: string, sentence: string, precise: string][] = [
  ...SETTING_KEYS.map((key) => [key, EVERYDAY_SETTINGS[key], HINTS[key]] as const),
  ...[...stepMetrics, ...evaluationMetrics].map(
    ({ key }) => [key, EVERYDAY_METRICS[key as MetricKey]?.(10), ''] as const,
  ),
].map(([name, sentence, precise]) => [name, sentence, precise]);

test.each(sentences)('%s is explained in everyday words, without harder ones', (_, sentence, precise) => {
  expect(sentence).toMatch(/^[A-Z].{20,}\.$/);
  expect(sentence).not.toMatch(JARGON);
  expect(sentence).not.toBe(precise);
  expect(sentence.length).toBeLessThanOrEqual(160);
});

test('guessing is as wrong, and as often right, as the number of classes makes it', () => {
  expect(EVERYDAY_METRICS.loss(10)).toContain('2.3 is pure guessing, 0 is perfect');
  expect(EVERYDAY_METRICS.testLoss(2)).toContain('0.69 is pure guessing');
  expect(EVERYDAY_METRICS.accuracy(4)).toContain('about 25.');
  expect(EVERYDAY_METRICS.accuracy(1000)).toContain('less than one.');
});
