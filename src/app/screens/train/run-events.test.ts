import { beforeAll, expect, test, vi } from 'vitest';
import type { RunState } from '../../../worker/api.ts';
import type * as Events from '../../events.ts';
import type * as Store from '../../state/store.ts';

let emit: typeof Events.emit;
let useApp: typeof Store.useApp;
beforeAll(async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined }));
  ({ emit } = await import('../../events.ts'));
  ({ useApp } = await import('../../state/store.ts'));
  (await import('./run-events.ts')).listenToRun();
});

test('the reason for a pause is shown while the run is paused, and not after it is stopped or resumes', () => {
  const is = (state: RunState) => emit({ type: 'state', runId: 1, state, step: 5, epoch: 1 });
  for (const next of ['stopped', 'training'] as const) {
    is('training');
    emit({ type: 'stopReason', runId: 1, reason: 'Good.' });
    is('paused');
    expect(useApp.getState().stopReason).toBe('Good.');
    is(next);
    expect(useApp.getState().stopReason).toBeUndefined();
  }
});

test('why a run uses other algorithms is shown until the next run', () => {
  emit({ type: 'state', runId: 2, state: 'preparing', step: 0, epoch: 0 });
  emit({ type: 'notice', runId: 2, text: 'conv1 fprop uses direct convolution.' });
  emit({ type: 'notice', runId: 1, text: 'late' });
  emit({ type: 'state', runId: 2, state: 'training', step: 0, epoch: 0 });
  expect(useApp.getState().runNotice).toBe('conv1 fprop uses direct convolution.');
  emit({ type: 'state', runId: 3, state: 'preparing', step: 0, epoch: 0 });
  expect(useApp.getState().runNotice).toBeUndefined();
});
