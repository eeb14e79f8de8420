import { ask } from './client.ts';
import { useApp } from './state/store.ts';

/** How many images of a data set the page looks at. */
const SAMPLES = 48;

/** Makes a data set ready; progress and the outcome come as events. */
export async function fetchDataset(name: string): Promise<void> {
  const { setDatasetStatus, setImportError } = useApp.getState();
  setImportError(name, undefined);
  const answer = await ask((api) => api.fetchDataset(name));
  if (answer.ok) setDatasetStatus(name, { state: 'ready' });
  else if (answer.error.code === 'cancelled') setDatasetStatus(name, { state: 'absent' });
  else setDatasetStatus(name, { state: 'failed', error: answer.error });
  if (answer.ok) await loadSamples(name);
}

/** Hands dropped or chosen files to the worker, which checks them before it takes them. */
export async function importDataset(name: string, files: File[]): Promise<void> {
  const { setImportError, setDatasetStatus } = useApp.getState();
  setImportError(name, undefined);
  const answer = await ask((api) => api.importDataset(name, files));
  if (!answer.ok) return setImportError(name, answer.error);
  setDatasetStatus(name, { state: 'ready' });
  await loadSamples(name);
}

/** Fetches the images that the page shows of a data set, once. */
export async function loadSamples(name: string): Promise<void> {
  if (useApp.getState().samples[name]) return;
  const answer = await ask((api) => api.samples(name, SAMPLES));
  if (answer.ok) useApp.getState().setSamples(name, answer.value);
}
