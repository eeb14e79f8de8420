import type { Catalogue } from '../worker/api.ts';
import { chosenDataset } from './actions/start.ts';
import { ask, endWorker, startWorker } from './client.ts';
import { fetchDataset } from './datasets.ts';
import { emit, onEvent } from './events.ts';
import { loadRuns } from './journal/runs-store.ts';
import { lookForSavedRun } from './saved-run.ts';
import { live } from './metrics/live.ts';
import { NO_RUN, runIsOpen } from './state/run.ts';
import { OWN_MODEL } from './state/own-model.ts';
import { DEFAULT_SETTINGS } from './state/settings.ts';
import { useApp } from './state/store.ts';
import { firstAsked, networkNow } from './pad/live-prediction.ts';
import { parseRoute } from './route.ts';
import { sendPace } from './pace/pace.ts';
import { usePad } from './pad/pad-store.ts';

onEvent('device', ({ state, adapter, error }) => useApp.getState().setDevice(state, adapter, error));
onEvent('gpuTask', ({ task }) => useApp.setState({ gpuTask: task }));
onEvent('interrupted', ({ resumes }) => useApp.setState({ resumes }));
onEvent('gpuBusy', ({ busy }) => useApp.setState({ gpuBusy: busy }));

/** Starts the worker, in place of one that runs, and asks it for a device and for what there is to train on. */
export async function load(): Promise<void> {
  useApp.setState({
    ...NO_RUN,
    device: 'connecting',
    deviceError: undefined,
    crash: undefined,
    responds: true,
    gpuBusy: false,
    gpuTask: undefined,
    resumes: false,
  });
  usePad.setState({ prediction: undefined, error: undefined });
  live.clear();
  await endWorker();
  startWorker(useApp.getState().engine, {
    onEvent: emit,
    onDeath: (reason) => {
      useApp.setState({ crash: reason, responds: true, gpuBusy: false });
      if (runIsOpen(useApp.getState().runState)) useApp.setState({ runState: 'failed' });
    },
    onResponds: (responds) => useApp.setState({ responds }),
  });
  useApp.setState(({ workers }) => ({ workers: workers + 1 }));
  void sendPace();
  await Promise.all([connect(), loadCatalogue(), loadRuns(), lookForSavedRun()]);
}

async function connect(): Promise<void> {
  const answer = await ask((api) => api.device.connect());
  const { setDevice, crash } = useApp.getState();
  if (answer.ok) setDevice('ready', answer.value);
  else if (crash === undefined) setDevice('unavailable', undefined, answer.error);
}

async function loadCatalogue(): Promise<void> {
  const catalogue = await ask((api) => api.train.catalogue());
  if (catalogue.ok) {
    useApp.setState(catalogue.value);
    replaceMissing(catalogue.value);
    await padIsServed();
  }
  useApp.setState({ arrived: true });
  await fetchChosen();
}

/**
 * The images of a data set come after what the pad needs, which is less and is waited for first. On a slow network they are
 * requested when that is on its way: this long after the pad's request, as a share of the time until then.
 */
const MOST_WAITED = 1 / 7;
/** If the pad requests nothing. */
const MOST_WAITED_MS = 10_000;

/** Resolves when the pad has answered on a first visit's arrival, is about to, or will not: it is not shown, or not asked. */
async function padIsServed(): Promise<void> {
  const isShown = ['', 'train'].includes(parseRoute(location.hash).screen) && !document.hidden;
  if (!isShown || useApp.getState().workers > 1 || networkNow() !== 'trained') return;
  const after = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
  const answered = new Promise<void>((done) =>
    usePad.subscribe(({ prediction, error }) => (prediction ?? error) && done()),
  );
  await Promise.race([after(MOST_WAITED_MS), firstAsked]);
  await Promise.race([after(MOST_WAITED * performance.now()), answered]);
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

/** Fetches the chosen data set if the page ships it: one of several megabytes is not fetched for those who never choose it. */
async function fetchChosen(): Promise<void> {
  const chosen = chosenDataset(useApp.getState());
  if (chosen?.shipped && chosen.status.state === 'absent') await fetchDataset(chosen.name);
}

useApp.subscribe(({ settings }, before) => {
  if (settings.dataset !== before.settings.dataset) void fetchChosen();
});
