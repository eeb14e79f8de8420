/** Choosing the engine that computes: the GPU or the CPU. */
import type { EngineChoice } from '../../worker/api.ts';
import { ask } from '../client.ts';
import { runIsOpen } from '../state/run.ts';
import { useApp, type AppState } from '../state/store.ts';
import { obstacleToDevice, report } from './start.ts';

/** Why the engine cannot be changed now; undefined if it can. */
export function obstacleToEngine(state: AppState): string | undefined {
  const obstacle = state.device === 'unavailable' ? undefined : obstacleToDevice(state);
  if (obstacle) return obstacle;
  if (runIsOpen(state.runState) && state.runConfig?.precision === 'mixed')
    return 'The run trains in mixed precision, which the CPU engine does not support. Stop it first.';
  return undefined;
}

/** Computes on this engine from now on. A run that trains resumes on it. If it is not available, nothing changes. */
export async function chooseEngine(chosen: EngineChoice): Promise<void> {
  const state = useApp.getState();
  if (obstacleToEngine(state)) return;
  const { device, deviceError, engine } = state;
  useApp.setState({ device: 'connecting', deviceError: undefined, engine: chosen, runError: undefined });
  const answer = await ask((api) => api.useEngine(chosen));
  if (answer.ok) {
    state.setEngine(chosen);
    state.setDevice('ready', answer.value);
  } else {
    useApp.setState({ device, deviceError, engine });
    report(answer);
  }
}
