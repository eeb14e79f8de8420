/** The examination of a run: the last one, and the one under way. */
import { create } from 'zustand';
import type { FailureValue } from '../../../base/result.ts';
import type { CheckEntry, Examination, Finding, SettingsFix } from '../../../worker/api.ts';
import { nextRun, obstacleToData } from '../../actions/start.ts';
import { askPart } from '../../ask-part.ts';
import { ask } from '../../client.ts';
import { onEvent } from '../../events.ts';
import {
  configToMeasure,
  failureToShow,
  measuredRun,
  obstacleToMeasuring,
  type MeasuredRun,
} from '../../measured-run.ts';
import { runIsOpen } from '../../state/run.ts';
import type { Settings } from '../../state/settings.ts';
import { useApp, type AppState } from '../../state/store.ts';

interface ExaminationReport extends MeasuredRun {
  findings: readonly Finding[];
  /** Once all checks are done. */
  recommendation?: Examination['recommendation'];
  /** Steps of the run whose weights were examined; absent if there was no run with these settings. */
  step?: number;
}

interface DoctorState {
  /** Empty until the worker has answered. */
  checks: CheckEntry[];
  /** An examination is under way. */
  busy: boolean;
  /** The check that is being made. */
  checking: string | undefined;
  examination: ExaminationReport | undefined;
  error: FailureValue | undefined;
}

export const useDoctor = create<DoctorState>()(() => ({
  checks: [],
  busy: false,
  checking: undefined,
  examination: undefined,
  error: undefined,
}));

onEvent('doctor', (event) =>
  useDoctor.setState(({ busy, examination }) => {
    if (!busy || !examination) return {};
    if (event.what === 'checking') return { checking: event.check };
    return { examination: { ...examination, findings: [...examination.findings, event.finding] } };
  }),
);

/** Asks the worker once which checks there are. */
export async function loadChecks(): Promise<void> {
  if (useDoctor.getState().checks.length > 0) return;
  const checks = await askPart((api) => api.doctor.doctorChecks());
  if (checks) useDoctor.setState({ checks });
}

/** Why nothing can be examined now: it needs the data too. */
export function obstacleToDoctor(state: AppState): string | undefined {
  const obstacle = obstacleToMeasuring(state);
  return obstacle ?? (runIsOpen(state.runState) ? undefined : obstacleToData(state));
}

export async function examine(): Promise<void> {
  const state = useApp.getState();
  const config = runIsOpen(state.runState) ? configToMeasure(state) : nextRun(state);
  if (!config || obstacleToDoctor(state) !== undefined) return;
  const run = measuredRun(state, config);
  useDoctor.setState({
    busy: true,
    checking: undefined,
    examination: { ...run, findings: [] },
    error: undefined,
  });
  const answer = await ask((api) => api.doctor.examine(config));
  useDoctor.setState({
    busy: false,
    checking: undefined,
    ...(answer.ok ? { examination: { ...run, ...answer.value } } : { error: failureToShow(answer.error) }),
  });
}

/** Changes the settings as a finding suggests: those of the next run, and of the open one where they act at once. */
export function applyFix({ settings }: SettingsFix): void {
  const entries = Object.entries(settings).map(([key, value]) => [key, String(value)]);
  useApp.getState().change(Object.fromEntries(entries) as Partial<Settings>);
}
