/** The activations on the screen, requested again whenever the image, the selection or the model changes. */
import { create } from 'zustand';
import type { FailureValue } from '../../../base/result.ts';
import { throttled } from '../../../base/throttled.ts';
import type { Firing, Look } from '../../../worker/api.ts';
import { ask } from '../../client.ts';
import { spareTraining } from '../../components/spare-training.ts';
import { live } from '../../metrics/live.ts';
import { padDataset } from '../../pad/pad-dataset.ts';
import { usePad } from '../../pad/pad-store.ts';
import { knowsTrained, targetOf } from '../../pad/target.ts';
import { useApp } from '../../state/store.ts';
import { useInspect } from '../../state/inspect-store.ts';

/** Eyes cannot follow more changes per second. */
const LOOK_EVERY_MS = 200;
const BUDGET = { share: 0.2, most: 2000 };

interface LookState {
  /** Whether they are on the screen. */
  shown: boolean;
  look: Look | undefined;
  error: FailureValue | undefined;
  /** The layers whose maps are on the screen; undefined before the layers are known. */
  maps: readonly string[] | undefined;
  /** How often the channels of a layer are active, and the layer that is being checked for that. */
  firing: Firing | undefined;
  firingAsked: string | undefined;
}

export const useLook = create<LookState>()(() => ({
  shown: false,
  look: undefined,
  error: undefined,
  maps: undefined,
  firing: undefined,
  firingAsked: undefined,
}));

/** The run's; before the first run the one that comes with the page, if it knows such images. */
export function networkToLookAt(state = useApp.getState()): 'run' | 'trained' | undefined {
  if (state.runId > 0) return 'run';
  return knowsTrained(targetOf(padDataset(state))) ? 'trained' : undefined;
}

const lookAgain = throttled(LOOK_EVERY_MS, async () => {
  const { image } = usePad.getState();
  const { shown, maps } = useLook.getState();
  const network = networkToLookAt();
  if (!shown || !image || !network || document.hidden) return;
  const { layer, channel, pixel } = useInspect.getState().lookChoice;
  const asked = performance.now();
  const request = {
    image,
    layer: layer === '' ? 'input' : layer,
    ...(pixel ? { pixel: { k: channel, ...pixel } } : {}),
    maps,
  };
  const answer = await ask((api) =>
    network === 'run' ? api.inspect.look(request) : api.inspect.lookTrained(request),
  );
  const took = performance.now() - asked;
  take(answer.ok ? answer.value : undefined, answer.ok ? undefined : answer.error);
  await spareTraining(took, BUDGET);
});

function take(look: Look | undefined, error: FailureValue | undefined): void {
  const { lookChoice, setLookChoice } = useInspect.getState();
  // Another model has other layers: select one again.
  if (error?.code === 'not-found' && lookChoice.layer !== '') {
    setLookChoice({ layer: '', channel: 0, pixel: undefined });
    return;
  }
  if (look && lookChoice.layer === '') {
    // The first convolution is a good start.
    const first = look.layers.find(({ op }) => op === 'conv') ?? look.layers[1];
    setLookChoice({ layer: first.name, channel: 0, pixel: undefined });
  }
  if (look) useLook.setState({ look, error: undefined });
  else if (error && error.code !== 'cancelled') useLook.setState({ error });
}

/** Follows the image, the selection and the model. Returns what stops that. */
export function keepLooking(): () => void {
  useLook.setState({ shown: true });
  const stops = [
    live.subscribe(() => {
      if (live.step !== useLook.getState().look?.step) lookAgain();
    }),
    useApp.subscribe((now, before) => {
      const changed = now.runState !== before.runState || now.runId !== before.runId;
      if (changed || networkToLookAt(now) !== networkToLookAt(before)) lookAgain();
    }),
    usePad.subscribe((now, before) => {
      if (now.image !== before.image) lookAgain();
    }),
    useLook.subscribe((now, before) => {
      if (now.maps?.join() !== before.maps?.join()) lookAgain();
    }),
    useInspect.subscribe((now, before) => {
      if (now.lookChoice !== before.lookChoice) lookAgain();
    }),
  ];
  document.addEventListener('visibilitychange', lookAgain);
  lookAgain();
  return () => {
    useLook.setState({ shown: false });
    document.removeEventListener('visibilitychange', lookAgain);
    for (const stop of stops) stop();
  };
}

/** Checks with many test images which channels of a layer are ever active. */
export async function askFiring(layer: string): Promise<void> {
  useLook.setState({ firingAsked: layer });
  const answer = await ask((api) => api.inspect.firing(layer));
  useLook.setState({
    firingAsked: undefined,
    ...(answer.ok ? { firing: answer.value } : { error: answer.error }),
  });
  // The activations on the screen may be out of date by now.
  lookAgain();
}
