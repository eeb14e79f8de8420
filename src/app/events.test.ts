import { beforeAll, expect, test, vi } from 'vitest';
import type { RunState } from '../worker/api.ts';
import type * as Events from './events.ts';
import type * as Store from './state/store.ts';

let handleEvent: typeof Events.handleEvent;
let useApp: typeof Store.useApp;
beforeAll(async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined }));
  ({ handleEvent } = await import('./events.ts'));
  ({ useApp } = await import('./state/store.ts'));
});

test('why a run rests is told while it does, and not when it was stopped or goes on', () => {
  const is = (state: RunState) => handleEvent({ type: 'state', runId: 1, state, step: 5, epoch: 1 });
  for (const next of ['stopped', 'training'] as const) {
    is('training');
    handleEvent({ type: 'enough', runId: 1, reason: 'Good.' });
    is('paused');
    expect(useApp.getState().enough).toBe('Good.');
    is(next);
    expect(useApp.getState().enough).toBeUndefined();
  }
});
