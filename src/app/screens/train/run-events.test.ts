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
