/** Whether the next run starts from trained weights, whose network can answer before it does. */
import { trainedNetworks } from '../../run/trained.ts';
import { useRuns } from '../journal/runs-store.ts';
import { runIsOpen } from '../state/run.ts';
import { useApp, type AppState } from '../state/store.ts';

type Choice = Pick<AppState, 'runState' | 'runConfig' | 'settings'>;

/** What the next run starts from, for people; undefined if that is random, if a run is open, or if the last run did so too. */
export function startOfNext({ runState, runConfig, settings }: Choice): string | undefined {
  const { fork } = useRuns.getState();
  if (runIsOpen(runState)) return undefined;
  if (fork) return fork.name;
  const { initialWeights: name } = settings;
  if (name === '' || name === runConfig?.initialWeights) return undefined;
  return trainedNetworks.has(name) ? trainedNetworks.get(name).title : name;
}

export function useStartOfNext(): string | undefined {
  // Not part of the page's own state.
  useRuns((state) => state.fork);
  return useApp(startOfNext);
}
