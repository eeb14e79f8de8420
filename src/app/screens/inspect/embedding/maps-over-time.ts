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
  runId: number;
  /** When there are maps, in step order. */
  moments: readonly EmbeddingMoment[];
  error: FailureValue | undefined;
}

export const useMaps = create<MapsState>()(() => ({
  recording: false,
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

let listening = false;
let evaluated: number | undefined;

/** Turns recording on or off. It stays on while other screens are shown. */
export function setRecording(on: boolean): void {
  useMaps.setState({ recording: on });
  if (!on) return;
  // There is a map at once.
  recordNow();
  if (listening) return;
  listening = true;
  live.subscribe(() => {
    const step = live.evaluations.at(-1)?.step;
    const { recording, runId } = useMaps.getState();
    const isFirst = useApp.getState().runId !== runId && live.step > 0;
    if (!recording || (step === evaluated && !isFirst)) return;
    evaluated = step;
    recordNow();
  });
}
