/** The kept runs, as the worker reports them, and what the next run takes from one. */
import { create } from 'zustand';
import type { FailureValue } from '../../base/result.ts';
import type { RunStart } from '../../worker/api.ts';
import { ask } from '../client.ts';
import { onEvent } from '../events.ts';
import { OWN_MODEL } from '../state/own-model.ts';
import { recall, remember, rememberHere } from '../state/remember.ts';
import { useApp } from '../state/store.ts';
import type { RunRecord } from './record.ts';

interface RunsState {
  /** All kept runs, in order; undefined until they are loaded. `live` says in which tab each is open. */
  records: readonly RunRecord[] | undefined;
  /** Why the browser keeps none. */
  error: FailureValue | undefined;
  /** Why some cannot be read. */
  damaged: readonly FailureValue[];
  /** The browser has deleted the runs of an earlier visit. */
  cleared: boolean;
  /** Bytes that all may take before the oldest lose their checkpoints. */
  limit: number;
  /** The id of this tab's run. */
  open: string | undefined;
  /** The weights that the next run begins with. */
  fork: RunStart | undefined;
}

export const useRuns = create<RunsState>()(() => ({
  records: undefined,
  error: undefined,
  damaged: [],
  cleared: false,
  limit: Infinity,
  open: undefined,
  fork: undefined,
}));

/** The storage key for the id of this tab's run. */
export const OPEN_RUN = 'kept-run';

/** The storage key for whether runs are kept. Browsers that clear files where space runs short leave it. */
const ANY_RUNS = 'any-runs';
useRuns.subscribe(({ records, error }) => {
  if (records && !error) remember(ANY_RUNS, records.length > 0 ? 'yes' : '');
});

/** Listens to what the worker keeps. Call once. */
export function listenToRuns(): void {
  onEvent('run', ({ record }) => {
    const { records } = useRuns.getState();
    const others = records?.filter(({ id }) => id !== record.id);
    if (others) useRuns.setState({ records: [...others, record].sort((a, b) => a.number - b.number) });
  });
  onEvent('runsGone', ({ ids }) => {
    useRuns.setState(({ records }) => ({ records: records?.filter(({ id }) => !ids.includes(id)) }));
  });
  onEvent('recording', ({ id, runId }) => {
    useRuns.setState({ open: id });
    const { runConfig, runId: current } = useApp.getState();
    if (runConfig && runId === current) useApp.setState({ runConfig: { ...runConfig, record: id } });
    // A reload finds this tab's run, whatever other tabs train.
    rememberHere(OPEN_RUN, id);
  });
}

/** A model that somebody chooses is another than the one whose weights were to be taken: it starts from scratch. */
useApp.subscribe(({ settings: { model } }, { settings: before }) => {
  if (model !== before.model && model !== OWN_MODEL && useRuns.getState().fork)
    useRuns.setState({ fork: undefined });
});

/** Asks the worker for all kept runs. */
export async function loadRuns(): Promise<void> {
  const answer = await ask((api) => api.runs.keptRuns());
  if (!answer.ok) {
    useRuns.setState({ records: [], error: answer.error });
    return;
  }
  const { runs, damaged, refusal, limit } = answer.value;
  const cleared = runs.length === 0 && damaged.length === 0 && !refusal && recall(ANY_RUNS) === 'yes';
  useRuns.setState({ records: runs, damaged, error: refusal, cleared, limit });
}
