import { render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { ok } from '../base/result.ts';
import type { RunRecord, SavedRunEntry } from '../worker/api.ts';
import { useRuns } from './journal/runs-store.ts';
import { lookForSavedRun } from './saved-run.ts';
import { SavedRun } from './shell/SavedRun.tsx';
import { useApp } from './state/store.ts';
import { anyPart } from './testing/any-part.ts';

const savedRun = vi.fn<() => Promise<unknown>>();
vi.mock('./client.ts', () => ({ ask: (call: (api: object) => unknown) => call(anyPart({ savedRun })) }));

const records = (live: RunRecord['live']) =>
  useRuns.setState({ records: [{ id: 'a', live } as RunRecord, { id: 'b', live: null } as RunRecord] });
const offered = () => useApp.getState().savedRun?.id;

beforeEach(() => {
  useApp.setState({ runId: 0, savedRun: undefined });
  savedRun.mockReset();
  savedRun.mockImplementation(async () => {
    const open = useRuns.getState().records?.some(({ live }) => live === 'elsewhere');
    return ok(open ? undefined : ({ id: 'a' } as SavedRunEntry));
  });
});

test('a run that another tab opens is no longer offered, and is again when that tab is closed', async () => {
  records(null);
  await lookForSavedRun();
  expect(offered()).toBe('a');
  records('elsewhere');
  await expect.poll(offered).toBeUndefined();
  records(null);
  await expect.poll(offered).toBe('a');
});

test('nothing is offered to a tab that has a run, and no checkpoint is read for it', async () => {
  records('elsewhere');
  useApp.setState({ runId: 1 });
  savedRun.mockClear();
  records(null);
  await lookForSavedRun();
  expect(savedRun).not.toHaveBeenCalled();
});

test.each([
  ['stopped', 'You stopped a run: LeNet-5 on Digits'],
  ['stoppedEarly', 'A run stopped early: LeNet-5 on Digits'],
  ['paused', 'You have an unfinished run: LeNet-5 on Digits'],
] as const)('a run that was %s is offered as that', (standing, title) => {
  const run = { id: 'a', at: 0, model: 'LeNet-5', dataset: 'Digits', step: 20, skipped: [], standing };
  render(<SavedRun run={run as unknown as SavedRunEntry} />);
  expect(screen.getByText(title)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Resume from step 20' })).toBeTruthy();
});
