import { expect, test } from 'vitest';
import type { DatasetEntry } from '../../../worker/api.ts';
import { readyFirst } from './status.ts';

const dataset = (name: string, shipped: boolean, state: string) =>
  ({ name, shipped, status: { state } }) as DatasetEntry;

test('data sets that can be trained on at once stand first, in their order', () => {
  const datasets = [
    dataset('cifar-10', false, 'absent'),
    dataset('digits', true, 'absent'),
    dataset('mnist', false, 'ready'),
    dataset('own', false, 'failed'),
  ];
  expect(readyFirst(datasets).map(({ name }) => name)).toEqual(['digits', 'mnist', 'cifar-10', 'own']);
});
