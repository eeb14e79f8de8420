import type { Result } from '../base/result.ts';
import type { FoundSet, OwnReport, OwnRequest, ImageSamples, StepAugmentation } from '../worker/api.ts';
import { ask } from './client.ts';
import { onEvent } from './events.ts';
import { batchFor } from './state/settings.ts';
import { useApp } from './state/store.ts';

/** How many images of a data set the page looks at. */
const SAMPLES = 48;

onEvent('dataset', ({ name, status }) => useApp.getState().setDatasetStatus(name, status));

/** Makes a data set ready; progress and the outcome come as events. */
export async function fetchDataset(name: string): Promise<void> {
  useApp.getState().setImportError(name, undefined);
  await ask((api) => api.data.fetchDataset(name));
}

/** Hands dropped or chosen files to the worker, which checks them before it takes them. */
export async function importDataset(name: string, files: File[]): Promise<void> {
  const { setImportError } = useApp.getState();
  setImportError(name, undefined);
  const answer = await ask((api) => api.data.importDataset(name, files));
  if (!answer.ok) setImportError(name, answer.error);
}

/** Fetches the images that the page shows of a data set. */
export async function loadSamples(name: string): Promise<void> {
  const answer = await ask((api) => api.data.samples(name, SAMPLES));
  if (answer.ok) useApp.getState().setSamples(name, answer.value);
}

/** The images that the page shows of a data set, augmented as in training; undefined if the settings do not fit the images. */
export async function augmentedSamples(
  name: string,
  augmented: StepAugmentation,
): Promise<ImageSamples | undefined> {
  const answer = await ask((api) => api.data.samples(name, SAMPLES, augmented));
  return answer.ok ? answer.value : undefined;
}

/** Removes what is saved of a data set. */
export async function removeDataset(name: string): Promise<Result<void>> {
  const answer = await ask((api) => api.data.removeDataset(name));
  if (!answer.ok) return answer;
  useApp.setState(({ samples: { [name]: _gone, ...samples } }) => ({ samples }));
  const catalogue = await ask((api) => api.train.catalogue());
  if (catalogue.ok) useApp.setState(catalogue.value);
  return answer;
}

/** What given files are as a data set; undefined if they are none, which `importErrors` explains. */
export async function understandOwn(
  request: Pick<OwnRequest, 'files' | 'from' | 'labels'>,
): Promise<FoundSet | undefined> {
  const { setImportError } = useApp.getState();
  setImportError('own', undefined);
  const answer = await ask((api) => api.data.understand(request));
  if (answer.ok) return answer.value;
  setImportError('own', answer.error);
  return undefined;
}

/** Makes own pictures a data set. Answers what became of them; undefined if they were refused. */
export async function takeOwn(request: OwnRequest): Promise<OwnReport | undefined> {
  const name = 'own';
  const { setImportError } = useApp.getState();
  setImportError(name, undefined);
  const answer = await ask((api) => api.data.takeOwn(request));
  if (!answer.ok) {
    if (answer.error.code !== 'cancelled') setImportError(name, answer.error);
    return undefined;
  }
  const images = () => useApp.getState().datasets.find((dataset) => dataset.name === name)?.counts.train ?? 0;
  const before = images();
  const catalogue = await ask((api) => api.train.catalogue());
  if (catalogue.ok) useApp.setState(catalogue.value);
  const { settings, change } = useApp.getState();
  if (settings.dataset === name) change({ batchSize: batchFor(settings.batchSize, before, images()) });
  await loadSamples(name);
  return answer.value;
}
