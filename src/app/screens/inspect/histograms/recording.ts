/** Records histograms of the run while it trains, and keeps them with it. Nothing is computed while recording is off. */
import { create } from 'zustand';
import type { FailureValue } from '../../../../base/result.ts';
import { throttled } from '../../../../base/throttled.ts';
import { withRecord, type HistogramRecord } from '../../../../run/metrics/histograms.ts';
import { ask } from '../../../client.ts';
import { useRuns } from '../../../journal/runs-store.ts';
import { live } from '../../../metrics/live.ts';
import { useApp } from '../../../state/store.ts';

/** Records are at least so far apart, and counting takes at most this share of the time. */
const EVERY_MS = 1000;
const SHARE = 0.01;
const WRITE_EVERY_MS = 5000;

interface RecordingState {
  recording: boolean;
  /** Whether it follows the run, which it does from the first recording on. */
  following: boolean;
  /** The run whose records are shown. */
  runId: number;
  /** Of the open run, in step order. */
  records: readonly HistogramRecord[];
  /** What one record costs; undefined before the first. */
  milliseconds: number | undefined;
  error: FailureValue | undefined;
}

export const useRecording = create<RecordingState>()(() => ({
  recording: false,
  following: false,
  runId: 0,
  records: [],
  milliseconds: undefined,
  error: undefined,
}));

/** The kept run that the histograms belong to; undefined until the open run is kept. */
const savedAs = (): string | undefined => useRuns.getState().open;

/** Another run has other records: those that were kept with it, if any. */
async function follow(): Promise<void> {
  const now = useApp.getState().runId;
  if (now === useRecording.getState().runId) return;
  useRecording.setState({ runId: now, records: [], milliseconds: undefined, error: undefined });
  const id = savedAs();
  // Where the browser keeps nothing, there is nothing to show.
  const answer = id === undefined ? undefined : await ask((api) => api.runs.keptHistograms(id));
  const kept = answer?.ok ? answer.value : undefined;
  const { runId, records } = useRecording.getState();
  if (kept && runId === now && records.length === 0)
    useRecording.setState({ records: kept.filter(({ step }) => step <= live.step) });
}

const write = throttled(WRITE_EVERY_MS, async () => {
  const id = savedAs();
  const { records } = useRecording.getState();
  // A run that cannot be saved is still shown.
  if (id !== undefined && records.length > 0) await ask((api) => api.runs.keepHistograms(id, records));
});

const record = throttled(EVERY_MS, async () => {
  await follow();
  const { recording, records, runId } = useRecording.getState();
  const { step } = live;
  if (!recording || runId === 0 || step === 0 || records.at(-1)?.step === step) return;
  const answer = await ask((api) => api.inspect.histograms());
  if (useApp.getState().runId !== runId) return;
  if (!answer.ok) {
    if (answer.error.code !== 'cancelled') useRecording.setState({ error: answer.error });
    return;
  }
  const { milliseconds, ...found } = answer.value;
  const before = useRecording.getState().records;
  useRecording.setState({ records: withRecord(before, found), milliseconds, error: undefined });
  write();
  await new Promise((resolve) => setTimeout(resolve, Math.min(30_000, milliseconds / SHARE - EVERY_MS)));
});

/** Turns recording on or off. It stays on while other screens are shown. */
export function setRecording(on: boolean): void {
  const { following } = useRecording.getState();
  useRecording.setState({ recording: on, following: following || on });
  if (on && !following) {
    live.subscribe(record);
    useApp.subscribe((now, before) => {
      if (now.runId !== before.runId || now.runState !== before.runState) record();
    });
  }
  record();
}

/** Shows what is kept with the run. */
export const showRecords = (): void => void follow();
