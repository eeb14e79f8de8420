import type { WorkerEvent } from '../worker/api.ts';
import { noteKept } from './kept.ts';
import { labEvents } from './screens/lab/lab-events.ts';
import { live } from './metrics/live.ts';
import { askAgain } from './pad/asking.ts';
import { useApp } from './state/store.ts';

/** Brings what the worker streams into the store and the live metrics. */
export function handleEvent(event: WorkerEvent): void {
  const app = useApp.getState();
  switch (event.type) {
    case 'device':
      app.setDevice(event.state, event.adapter, event.error);
      return;
    case 'dataset':
      app.setDatasetStatus(event.name, event.status);
      return;
    case 'lab':
      if (event.step === 'begun') app.setLabJob(event.job);
      if (event.step === 'ended') app.setLabJob(undefined);
      labEvents.emit(event);
      return;
    case 'profile':
      app.setProfiling({ phase: event.phase, share: event.share });
      return;
    case 'doctor':
      if (event.what === 'checking') app.setChecking(event.check);
      else app.addFinding(event.finding);
      return;
    case 'choices':
      if (event.runId >= app.runId) app.setChoices(event.layers);
      return;
    case 'state':
      if (event.runId < app.runId) return;
      if (event.runId > app.runId) live.clear();
      live.curve.batchSize = app.runConfig?.batchSize ?? 0;
      live.setPosition(event.step, event.epoch);
      app.setRun({
        runId: event.runId,
        runState: event.state,
        runError: event.error,
        lastGood: event.lastGood,
        keptRun: undefined,
        // Why it rests is of interest while it does.
        ...(event.state === 'paused' ? {} : { enough: undefined }),
      });
      askAgain();
      return;
    case 'adjusted':
      if (event.runId === app.runId) live.setAdjusted(event);
      return;
    case 'kept':
      if (event.runId !== app.runId) return;
      app.setRun({ keepError: event.error });
      if (!event.error) noteKept(app.runConfig);
      return;
    case 'enough':
      if (event.runId === app.runId) app.setRun({ enough: event.reason });
      return;
    case 'history':
      if (event.runId === app.runId) live.addHistory(event.evaluations);
      return;
    case 'steps':
      if (event.runId !== app.runId) return;
      live.addSteps(event.rows);
      askAgain();
      return;
    case 'evaluation':
      if (event.runId !== app.runId) return;
      live.addEvaluation(event, event.confusion);
      return;
  }
}
