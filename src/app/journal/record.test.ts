import { expect, test } from 'vitest';
import { obstacleToResume, type RunRecord } from './record.ts';

test('a run can be resumed from its checkpoint, unless another tab has it open', () => {
  const run = { name: 'it', checkpoint: { step: 3 }, live: null } as RunRecord;
  expect(obstacleToResume(run)).toBeUndefined();
  expect(obstacleToResume({ ...run, live: 'elsewhere' })).toBe('it is open in another tab.');
  const { checkpoint: _, ...without } = run;
  expect(obstacleToResume(without)).toMatch(/^No checkpoint is saved/);
});
