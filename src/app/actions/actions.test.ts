import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { DatasetEntry, RunState } from '../../worker/api.ts';
import type * as Metrics from '../metrics/live.ts';
import type { AppState } from '../state/store.ts';
import { datasetEntry } from '../testing/dataset-entry.ts';
import type { Action, labelOf as LabelOf, runActions as RunActions } from './actions.ts';

const digits = datasetEntry({ shipped: true });

let actions: readonly Action[];
let labelOf: typeof LabelOf;
let runActions: typeof RunActions;
let initial: AppState;
let live: typeof Metrics.live;

beforeAll(async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined }));
  ({ ACTIONS: actions, labelOf, runActions } = await import('./actions.ts'));
  ({ live } = await import('../metrics/live.ts'));
  const { useApp } = await import('../state/store.ts');
  initial = { ...useApp.getInitialState(), device: 'ready', datasets: [digits] };
});

/** The names of the available actions. */
const possible = (change: Partial<AppState>) =>
  actions
    .filter(({ name }) => name !== 'Test now')
    .filter((action) => action.obstacle({ ...initial, ...change }) === undefined)
    .map(({ name }) => name);

describe('actions', () => {
  test('while own images are read, Train says so, not that there are none', () => {
    const own: DatasetEntry = { ...digits, name: 'own', own: true };
    const train = actions.find(({ name }) => name === 'Train');
    const obstacle = (status: DatasetEntry['status']) =>
      train?.obstacle({
        ...initial,
        datasets: [{ ...own, status }],
        settings: { ...initial.settings, dataset: 'own' },
      });
    expect(obstacle({ state: 'reading', done: 14, total: 62 })).toBe('Your images are being read.');
    expect(obstacle({ state: 'absent' })).toMatch(/^You have not added any images yet/);
  });

  test('a run can be started when its images are all but here', () => {
    const train = actions.find(({ name }) => name === 'Train');
    const obstacle = (soon: boolean) => {
      const status = { state: 'downloading', receivedBytes: 8, totalBytes: 9, soon } as const;
      return train?.obstacle({ ...initial, datasets: [{ ...digits, status }] });
    };
    expect(obstacle(false)).toMatch(/ is still downloading\.$/);
    expect(obstacle(true)).toBeUndefined();
  });

  test.each<[RunState, string[]]>([
    ['idle', ['Train', 'Step']],
    ['preparing', ['Pause', 'Stop']],
    ['training', ['Pause', 'Step', 'Restart', 'Stop']],
    ['paused', ['Train', 'Step', 'Restart', 'Stop']],
    ['recovering', ['Pause', 'Stop']],
    ['stopped', ['Train', 'Step', 'Restart', 'Resume']],
    ['failed', ['Train', 'Step', 'Restart']],
  ])('while %s: %s', (runState, names) => {
    expect(possible({ runState, runId: runState === 'idle' ? 0 : 1 })).toEqual(names);
  });

  test('a run that has completed its epochs is trained on, unless its schedule has come to an end', () => {
    const runConfig = { epochs: 2, schedule: 'cosine', warmupEpochs: 0 } as AppState['runConfig'];
    live.setPosition(20, 2);
    const plain = { epochs: 2, schedule: 'constant', warmupEpochs: 0 } as AppState['runConfig'];
    const done = { runState: 'paused', runId: 1, runConfig: plain } as const;
    expect(possible(done)).toEqual(['Train', 'Step', 'Restart', 'Stop']);
    expect(labelOf(actions[0], { ...initial, ...done })).toBe('Train on');
    expect(possible({ runState: 'paused', runId: 1, runConfig })).toEqual(['Step', 'Restart', 'Stop']);
    live.setPosition(10, 1);
    expect(possible({ runState: 'paused', runId: 1, runConfig })).toContain('Train');
  });

  test('nothing starts without a device or data', () => {
    expect(possible({ device: 'unavailable' })).toEqual([]);
    expect(possible({ device: 'connecting' })).toEqual([]);
    expect(possible({ crash: 'out of memory' })).toEqual([]);
    expect(possible({ datasets: [] })).toEqual([]);
    expect(possible({ datasets: [{ ...digits, status: { state: 'absent' } }] })).toEqual([]);
  });

  test('a paused run resumes even if the settings are invalid', () => {
    expect(possible({ runState: 'paused', settings: { ...initial.settings, lr: 'fast' } })).toContain(
      'Train',
    );
  });

  test('the button of a paused run says Resume, and a stopped run has Resume in the place of Stop', () => {
    const labels = (runState: RunState) =>
      runActions({ runState }).map((action) => labelOf(action, { ...initial, runState }));
    expect(labels('idle')).toEqual(['Train', 'Pause', 'Step', 'Restart', 'Stop']);
    expect(labels('paused')).toEqual(['Resume', 'Pause', 'Step', 'Restart', 'Stop']);
    expect(labels('stopped')).toEqual(['Train', 'Pause', 'Step', 'Restart', 'Resume']);
  });

  test('each key belongs to actions that are never possible together', () => {
    for (const runState of ['idle', 'training', 'paused'] as const) {
      const keys = actions
        .filter((action) => action.key && action.obstacle({ ...initial, runState }) === undefined)
        .map(({ key }) => key);
      expect(new Set(keys).size).toBe(keys.length);
    }
  });
});
