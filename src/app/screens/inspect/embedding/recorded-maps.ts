/** Records maps of test images after each epoch. Nothing is computed before the first is asked for, and while it is off. */
import { create } from 'zustand';
import type { FailureValue } from '../../../../base/result.ts';
import { throttled } from '../../../../base/throttled.ts';
import type { EmbeddingMoment } from '../../../../worker/api.ts';
import { ask } from '../../../client.ts';
import { live } from '../../../metrics/live.ts';
import { useApp } from '../../../state/store.ts';

interface MapsState {
  recording: boolean;
  /** Whether it follows the run, which it does from the first recording on. */
  following: boolean;
  /** The step of the last evaluation after which there is a map. */
  evaluated: number | undefined;
  runId: number;
  /** When there are maps, in step order. */
  moments: readonly EmbeddingMoment[];
  error: FailureValue | undefined;
}

export const useMaps = create<MapsState>()(() => ({
  recording: false,
  following: false,
  evaluated: undefined,
  runId: 0,
  moments: [],
  error: undefined,
}));

/** Records a map now. */
export const recordNow = throttled(500, async () => {
  const { runId } = useApp.getState();
  if (runId !== useMaps.getState().runId) useMaps.setState({ runId, moments: [], error: undefined });
  if (runId === 0 || live.step === 0) return;
  const answer = await ask((api) => api.inspect.recordEmbedding());
  if (useApp.getState().runId !== runId) return;
  if (answer.ok) useMaps.setState({ moments: answer.value, error: undefined });
  else if (answer.error.code !== 'cancelled') useMaps.setState({ error: answer.error });
});

/** Turns recording on or off. It stays on while other screens are shown. */
export function setRecording(on: boolean): void {
  useMaps.setState({ recording: on });
  if (!on) return;
  // There is a map at once.
  recordNow();
  if (useMaps.getState().following) return;
  useMaps.setState({ following: true });
  live.subscribe(() => {
    const step = live.evaluations.at(-1)?.step;
    const { recording, runId, evaluated } = useMaps.getState();
    const isFirst = useApp.getState().runId !== runId && live.step > 0;
    if (!recording || (step === evaluated && !isFirst)) return;
    useMaps.setState({ evaluated: step });
    recordNow();
  });
}
