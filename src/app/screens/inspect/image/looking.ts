/** What was seen of the network, asked for again as image, choice or model change. */
import { create } from 'zustand';
import type { FailureValue } from '../../../../base/result.ts';
import type { Firing, Look } from '../../../../worker/api.ts';
import { ask } from '../../../client.ts';
import { live } from '../../../metrics/live.ts';
import { useApp } from '../../../state/store.ts';
import { useInspect } from '../inspect-store.ts';
import { usePad } from '../../../pad/pad-store.ts';

/** More changes a second cannot be followed by eye, and each look takes time from the training. */
const LOOK_EVERY_MS = 200;

interface LookState {
  look: Look | undefined;
  error: FailureValue | undefined;
  /** How often the channels of a layer put out anything, and the layer that is being looked at for that. */
  firing: Firing | undefined;
  firingAsked: string | undefined;
}

export const useLook = create<LookState>()(() => ({
  look: undefined,
  error: undefined,
  firing: undefined,
  firingAsked: undefined,
}));

let shown = false;
let wanted = false;
let busy = false;

function lookAgain(): void {
  wanted = true;
  if (!busy) void lookWhileWanted();
}

async function lookWhileWanted(): Promise<void> {
  busy = true;
  while (wanted) {
    wanted = false;
    const { image } = usePad.getState();
    // Before the first run there is no network to look into.
    if (!shown || !image || useApp.getState().runId === 0 || document.hidden) break;
    const { layer, channel, pixel } = useInspect.getState().lookChoice;
    const answer = await ask((api) =>
      api.look({
        image,
        layer: layer === '' ? 'input' : layer,
        ...(pixel ? { pixel: { k: channel, ...pixel } } : {}),
      }),
    );
    take(answer.ok ? answer.value : undefined, answer.ok ? undefined : answer.error);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  busy = false;
}

function take(look: Look | undefined, error: FailureValue | undefined): void {
  const { lookChoice, setLookChoice } = useInspect.getState();
  // Another model has other layers: the first convolution is a good place to begin.
  if (error?.code === 'not-found' && lookChoice.layer !== '') {
    setLookChoice({ layer: '', channel: 0, pixel: undefined });
    return;
  }
  if (look && lookChoice.layer === '') {
    const first = look.layers.find(({ op }) => op === 'conv') ?? look.layers[1];
    setLookChoice({ layer: first.name, channel: 0, pixel: undefined });
  }
  if (look) useLook.setState({ look, error: undefined });
  else if (error && error.code !== 'cancelled') useLook.setState({ error });
}

/** Follows image, choice and model until the function that it answers is called. */
export function keepLooking(): () => void {
  shown = true;
  const stops = [
    live.subscribe(() => {
      if (live.step !== useLook.getState().look?.step) lookAgain();
    }),
    useApp.subscribe((now, before) => {
      if (now.runState !== before.runState || now.runId !== before.runId) lookAgain();
    }),
    usePad.subscribe((now, before) => {
      if (now.image !== before.image) lookAgain();
    }),
    useInspect.subscribe((now, before) => {
      if (now.lookChoice !== before.lookChoice) lookAgain();
    }),
  ];
  document.addEventListener('visibilitychange', lookAgain);
  lookAgain();
  return () => {
    shown = false;
    document.removeEventListener('visibilitychange', lookAgain);
    for (const stop of stops) stop();
  };
}

/** Looks at a layer with many test images. */
export async function askFiring(layer: string): Promise<void> {
  useLook.setState({ firingAsked: layer });
  const answer = await ask((api) => api.firing(layer));
  useLook.setState({
    firingAsked: undefined,
    ...(answer.ok ? { firing: answer.value } : { error: answer.error }),
  });
  // The looks in between were at other images.
  lookAgain();
}
