import { beforeEach, expect, test } from 'vitest';
import type { DatasetEntry } from '../../worker/api.ts';
import { DEFAULT_SETTINGS } from './settings.ts';
import { useApp } from './store.ts';

const entry = (name: string, train: number) => ({ name, counts: { train, test: 10 } }) as DatasetEntry;

beforeEach(() => {
  useApp.setState({ settings: DEFAULT_SETTINGS, datasets: [entry('digits', 10_000), entry('few', 40)] });
});

const batchAfter = (...changes: Parameters<ReturnType<typeof useApp.getState>['change']>[0][]) => {
  for (const change of changes) useApp.getState().change(change);
  return useApp.getState().settings.batchSize;
};

test('the batch size that nobody chose fits the images that are trained on', () => {
  expect(batchAfter({ trainImages: '50' })).toBe('8');
  expect(batchAfter({ trainImages: '' })).toBe('64');
  expect(batchAfter({ trainImages: '50' }, { dataset: 'few', trainImages: '' })).toBe('8');
});

test('one that somebody chose stays, unless it is too large', () => {
  expect(batchAfter({ batchSize: '20' }, { trainImages: '50' })).toBe('20');
  expect(batchAfter({ trainImages: '10' })).toBe('2');
  expect(batchAfter({ trainImages: '100', batchSize: '90' }, { lr: '0.1' })).toBe('90');
});
