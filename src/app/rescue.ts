import { report } from './actions/start.ts';
import { ask } from './client.ts';
import { formOf } from './state/settings.ts';
import { useApp } from './state/store.ts';

/** Tries three learning rates for a run that does not learn; it continues with the best one, if one helps. */
export async function tryRates(): Promise<void> {
  if (useApp.getState().rescue === 'trying') return;
  useApp.setState({ rescue: 'trying' });
  const answer = await ask((api) => api.train.rescue());
  if (!answer.ok) {
    useApp.setState({ rescue: undefined });
    report(answer);
    return;
  }
  const { value: tried } = answer;
  if (tried.config) {
    useApp.setState({ runConfig: tried.config, runError: undefined });
    useApp.getState().change(formOf(tried.config));
  }
  useApp.setState({ rescue: tried });
}
