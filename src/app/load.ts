import type { Catalogue } from '../worker/api.ts';
import { ask, startWorker, tell } from './client.ts';
import { fetchDataset } from './datasets.ts';
import { emit, onEvent } from './events.ts';
import { lookForSavedRun } from './saved-run.ts';
import { live } from './metrics/live.ts';
import { NO_RUN, runIsOpen } from './state/run.ts';
import { OWN_MODEL } from './state/own-model.ts';
import { DEFAULT_SETTINGS } from './state/settings.ts';
import { useApp } from './state/store.ts';
import { sendPace } from './pace/pace.ts';
import { usePad } from './pad/pad-store.ts';

onEvent('device', ({ state, adapter, error }) => useApp.getState().setDevice(state, adapter, error));

/** Starts the worker, and asks it for a device and for what there is to train on. */
export async function load(): Promise<void> {
  useApp.setState({
    ...NO_RUN,
    device: 'connecting',
    deviceError: undefined,
    crash: undefined,
    gpuTask: undefined,
  });
  usePad.setState({ prediction: undefined, error: undefined });
  live.clear();
  startWorker(useApp.getState().engine, emit, (reason) => {
    useApp.setState({ crash: reason });
    if (runIsOpen(useApp.getState().runState)) useApp.setState({ runState: 'failed' });
  });
  void sendPace();
  await Promise.all([connect(), loadCatalogue(), lookForSavedRun()]);
}

async function connect(): Promise<void> {
  const answer = await ask((api) => api.connect());
  const { setDevice, crash } = useApp.getState();
  if (answer.ok) setDevice('ready', answer.value);
  else if (crash === undefined) setDevice('unavailable', undefined, answer.error);
}

async function loadCatalogue(): Promise<void> {
  const catalogue = await tell((api) => api.catalogue());
  if (!catalogue) return;
  useApp.setState(catalogue);
  replaceMissing(catalogue);
  const shipped = catalogue.datasets.filter((dataset) => dataset.shipped).map(({ name }) => name);
  const { dataset } = useApp.getState().settings;
  // What can be trained on at once comes first, and has the connection to itself.
  for (const name of shipped.toSorted((a, b) => Number(b === dataset) - Number(a === dataset))) {
    await fetchDataset(name);
  }
}

/** Replaces a saved choice that is not available: of another version, or own images that are gone. */
function replaceMissing({ models, datasets }: Catalogue): void {
  const { settings, ownModel, change } = useApp.getState();
  const hasModel =
    settings.model === OWN_MODEL ? ownModel : models.some(({ name }) => name === settings.model);
  if (!hasModel) change({ model: DEFAULT_SETTINGS.model });
  const dataset = datasets.find(({ name }) => name === settings.dataset);
  if (!dataset || dataset.classes.length === 0) change({ dataset: DEFAULT_SETTINGS.dataset });
}
