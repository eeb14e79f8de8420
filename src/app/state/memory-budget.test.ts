import { expect, test } from 'vitest';
import { memoryBudget } from './memory-budget.ts';

const GiB = 2 ** 30;
const clues = { deviceMemory: undefined, touch: false, maxBufferSize: 2 * GiB };

test.each([
  ['a phone of 4 GiB: half of that', { ...clues, deviceMemory: 4, touch: true }, 2 * GiB],
  ['a small laptop', { ...clues, deviceMemory: 2 }, GiB],
  ['8 GiB or more', { ...clues, deviceMemory: 8, touch: true }, undefined],
  ['a phone that does not say: its largest buffer', { ...clues, touch: true }, 2 * GiB],
  ['a computer that does not say', clues, undefined],
])('%s', (_, given, expected) => {
  expect(memoryBudget(given)).toBe(expected);
});
