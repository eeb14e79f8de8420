import { ok, type Result } from '../../base/result.ts';
import { sameShape } from '../../base/shape.ts';
import { throttled } from '../../base/throttled.ts';
import { chosenDataset, nextRun } from '../actions/start.ts';
import { ask } from '../client.ts';
import { onEvent } from '../events.ts';
import { useRuns } from '../journal/runs-store.ts';
import { live } from '../metrics/live.ts';
import { OWN_MODEL } from '../state/own-model.ts';
import { useApp } from '../state/store.ts';
import { startOfNext } from './next-run.ts';
import { padDataset } from './pad-dataset.ts';
import { usePad, type PadNetwork, type NextPrediction } from './pad-store.ts';
import { knowsTrained, targetOf } from './target.ts';

/** Predictions that change faster cannot be read, and each takes time from the training: bench/results/page-cpu.md has how much. */
const ASK_EVERY_MS = 100;

const trainedFits = (): boolean => knowsTrained(targetOf(padDataset(useApp.getState())));

/** The network that predicts now; undefined if none can. */
export function networkNow(): PadNetwork | 'next' | undefined {
  const state = useApp.getState();
  const trains = startOfNext(state) === undefined ? state.runId > 0 && 'run' : 'next';
  if (usePad.getState().network === 'trained' && trainedFits()) return 'trained';
  return trains || undefined;
}

/** The network that predicts now, for components. */
export function useNetworkNow(): ReturnType<typeof networkNow> {
  // It depends on what three stores know.
  usePad(networkNow);
  useRuns(networkNow);
  return useApp(networkNow);
}

/** What the network that the next run starts from depends on. */
function nextNow(): readonly unknown[] {
  const state = useApp.getState();
  if (startOfNext(state) === undefined) return [];
  const { initialWeights, model, dataset } = state.settings;
  return [useRuns.getState().fork, initialWeights, model, dataset, model === OWN_MODEL && state.ownModel];
}

async function predictNext(image: Uint8Array): Promise<Result<NextPrediction> | undefined> {
  const state = useApp.getState();
  const [from, config] = [startOfNext(state), nextRun(state)];
  const fits = sameShape(usePad.getState().shape, chosenDataset(state)?.shape ?? []);
  if (from === undefined || !config || !fits) return undefined;
  const asked = nextNow();
  const answer = await ask((api) => api.predict.predictNext(config, image));
  if (!isSame(asked, nextNow())) return undefined;
  return answer.ok ? ok({ ...answer.value, from }) : answer;
}

const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((value, i) => value === b[i]);

let asked: () => void;
/** Resolves when the first prediction has been requested. */
export const firstAsked = new Promise<void>((done) => (asked = done));

/** One question for all that shows what the network makes of the image: the pad and, while it can be seen, the picture. */
function predict(network: PadNetwork | 'next', image: Uint8Array): Promise<Result<Answered> | undefined> {
  if (network === 'next') return predictNext(image);
  const { pictured } = usePad.getState();
  const request = pictured && { image, ...(pictured.length > 0 ? { maps: pictured } : {}) };
  return ask<Answered>((api) => {
    if (network === 'trained')
      return request ? api.inspect.lookTrained(request) : api.trained.predictTrained(image);
    // What a picture needs is compiled after the first step, which does not wait for it.
    return request && live.step > 0 ? api.inspect.look(request) : api.train.predict(image);
  });
}

type Answered = NonNullable<ReturnType<typeof usePad.getState>['prediction']>;

/** Predicts the image on the pad, soon. Call it whenever the image has changed, or what is shown of the network. */
export const askAgain = throttled(ASK_EVERY_MS, async () => {
  const { image } = usePad.getState();
  const network = networkNow();
  if (!image || !network || document.hidden) return;
  const { runId } = useApp.getState();
  // Listeners run later, when the request below has been sent.
  asked();
  const answer = await predict(network, image);
  // The pad may have been cleared meanwhile, another network chosen or another run started; each asks again anyway.
  const isOld = networkNow() !== network || useApp.getState().runId !== runId;
  if (!answer || !usePad.getState().image || isOld) return;
  if (answer.ok) usePad.setState({ prediction: answer.value, error: undefined });
  else if (answer.error.code !== 'cancelled') usePad.setState({ prediction: undefined, error: answer.error });
});

/** Shows the predictions of this network from now on. */
export function showNetwork(network: PadNetwork): void {
  if (usePad.getState().network === network) return;
  usePad.setState({ network, prediction: undefined, error: undefined });
  askAgain();
}

// A run that starts has the pad, and nothing of the run before stays on it.
onEvent('state', ({ runId }) => {
  if (runId > useApp.getState().runId)
    usePad.setState({ network: 'run', prediction: undefined, error: undefined });
});
let [fits, next] = [trainedFits(), nextNow()];
// Other data, or the next run starts from other weights: then their network has the pad.
const onChoice = () => {
  const [fit, now] = [trainedFits(), nextNow()];
  if (fit === fits && isSame(now, next)) return;
  [fits, next] = [fit, now];
  usePad.setState({ prediction: undefined, error: undefined, ...(now.length > 0 ? { network: 'run' } : {}) });
  askAgain();
};
useApp.subscribe(onChoice);
useRuns.subscribe(onChoice);
// The model has changed.
onEvent('state', askAgain);
onEvent('steps', () => {
  if (networkNow() === 'run') askAgain();
});
globalThis.document?.addEventListener('visibilitychange', askAgain);

/** A picture shows these maps of the network from now on; undefined: it cannot be seen. */
export function showMaps(maps: readonly string[] | undefined): void {
  if (maps?.join() === usePad.getState().pictured?.join()) return;
  usePad.setState({ pictured: maps });
  if (maps) askAgain();
}
