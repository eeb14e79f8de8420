/** Brings the worker's events about the run into the store and the live metrics. */
import { lazily } from '../../../base/lazily.ts';
import { unpackRows } from '../../../run/metrics/rows.ts';
import type { RunAdjustment, WorkerEvent } from '../../../worker/api.ts';
import { onEvent } from '../../events.ts';
import { live } from '../../metrics/live.ts';
import { runHasPaused } from '../../state/run.ts';
import { useApp } from '../../state/store.ts';

/** Events of runs before the current one come late. */
const isCurrent = ({ runId }: { runId: number }): boolean => runId === useApp.getState().runId;

const repeating = lazily(() => import('../../actions/repeat.ts'));

/** Call once, before the worker is started. */
export function listenToRun(): void {
  onEvent('state', takeState);
  onEvent('compiling', ({ done, total }) => useApp.setState({ compiling: { done, total } }));

  onEvent('steps', (event) => {
    if (isCurrent(event)) live.addSteps(unpackRows(event.rows, event.columns));
  });
  listenToChanges();

  onEvent('evaluation', (event) => {
    if (isCurrent(event)) live.addEvaluation(event.evaluation);
  });

  onEvent('trouble', (event) => {
    if (isCurrent(event)) useApp.setState({ trouble: event.trouble });
  });

  onEvent('speed', (event) => {
    if (isCurrent(event)) useApp.setState({ fullSpeed: event.speed });
  });

  onEvent('history', (event) => {
    if (isCurrent(event)) live.addHistory(event.evaluations, event.points);
  });

  onEvent('begun', ({ runId, rows }) => useApp.setState({ begun: { runId, rows } }));

  onEvent('choices', ({ runId, layers }) => {
    if (runId >= useApp.getState().runId) useApp.setState({ choices: layers });
  });

  onEvent('stopReason', (event) => {
    if (isCurrent(event)) useApp.setState({ stopReason: event.reason });
  });

  onEvent('notice', (event) => {
    if (isCurrent(event)) useApp.setState({ runNotice: event.text });
  });

  onEvent('checkpoint', (event) => {
    if (!isCurrent(event)) return;
    const { step, error } = event;
    useApp.setState(error ? { saveError: error } : { saveError: undefined, savedStep: step });
  });
}

function takeState(event: Extract<WorkerEvent, { type: 'state' }>): void {
  const { runId, runConfig } = useApp.getState();
  if (event.runId < runId) return;
  if (event.runId > runId) live.clear();
  live.curve.batchSize = runConfig?.batchSize ?? 0;
  live.setPosition(event.step, event.epoch);
  if (event.state !== 'training') live.forgetRate();
  useApp.setState({
    compiling: undefined,
    runId: event.runId,
    runState: event.state,
    runError: event.error,
    lastGood: event.lastGood,
    savedRun: undefined,
    ...(event.runId > runId ? { fullSpeed: undefined, runNotice: undefined, trouble: undefined } : {}),
    // Why it is paused is of interest while it is.
    ...(runHasPaused(event.state) ? {} : { stopReason: undefined }),
  });
}

/** Takes the changes of a run, and has the form follow those of a run that repeats another's. */
function listenToChanges(): void {
  // Those to come, and the run's record.
  let upcoming: RunAdjustment[] = [];
  let repeated: string | undefined;
  // Settled when the form has followed the last of them.
  let following: Promise<unknown> = Promise.resolve();

  onEvent('adjusted', (event) => {
    if (!isCurrent(event)) return;
    // A change by hand ends the repetition.
    upcoming = live.adjusted ? [] : event.adjustments.filter(({ step }) => step > live.step);
    repeated = event.record;
    live.setAdjusted(event);
  });

  onEvent('steps', (event) => {
    const due = isCurrent(event) ? upcoming.filter(({ step }) => step <= live.step) : [];
    if (due.length === 0) return;
    upcoming = upcoming.slice(due.length);
    // In order, also while the code is fetched; the settings may be those of another run by then, or already.
    const record = repeated;
    const follow = async () => {
      const { followChange } = await repeating();
      if (useApp.getState().runConfig?.record === record) due.forEach(followChange);
    };
    following = following.then(follow, follow);
  });
}
