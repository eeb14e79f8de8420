import { expect, test } from 'vitest';
import { dataset } from '../../train/testing/tiny-run.ts';
import type { Checkpoint } from '../../train/checkpoint.ts';
import type { RunConfig } from '../api.ts';
import { SavedRuns, type SavedRun } from './saved-runs.ts';

test('two simultaneous offers are written one after the other', async () => {
  let writing = 0;
  const written: number[] = [];
  const slots = {
    async write() {
      expect(++writing, 'files that are being written').toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 5));
      writing--;
    },
    read: async () => [],
    remove: async () => undefined,
  };
  const savedRuns = new SavedRuns({
    open: async () => ({ take: async () => slots, free: async () => [], remove: async () => undefined }),
    onWritten: ({ step }: SavedRun) => written.push(step),
    onFailure: (failure) => {
      throw failure;
    },
  });
  const at = (step: number) => ({ step }) as Checkpoint;
  await Promise.all(
    [1, 2].map((step) => savedRuns.offer(at(step), { model: 'tiny' } as RunConfig, dataset, true)),
  );
  await savedRuns.done();
  expect(written).toEqual([1, 2]);
});
