import { useState, type RefObject } from 'react';
import { fail, ok, type Result } from '../../../../base/result.ts';
import type { Look, LookLayer } from '../../../../worker/api.ts';
import { ask } from '../../../client.ts';
import { useLiveAnswer } from '../../../components/use-answer.ts';
import { useLiveValue } from '../../../metrics/use-live.ts';
import { drawnUnits } from '../../../network/picture.ts';
import { useNetworkNow } from '../../../pad/asking.ts';
import { keyOf } from '../../../pad/image-key.ts';
import { usePad } from '../../../pad/pad-store.ts';
import { useApp } from '../../../state/store.ts';

/** Eyes cannot follow more; while a run trains, they look at more than this. */
const ASK_EVERY_MS = { drawing: 100, training: 350 };

/** The layers of a network that was looked at. */
interface Seen {
  network: string;
  layers: readonly LookLayer[];
}

/** A look, and whether it is at the network that comes with the page. */
export interface LookAtPad {
  look: Look;
  isShipped: boolean;
}

/**
 * The activations of the network that answers on the pad, for the pad's image: again whenever either changes, and only
 * while the element can be seen. Before a run's first step nothing is asked, and the last answer stays.
 *
 * @returns a ref for the element, what was seen, and its layers, which are the same object as long as they are the same
 */
export function useLook(): [
  RefObject<HTMLDivElement | null>,
  LookAtPad | undefined,
  readonly LookLayer[] | undefined,
] {
  const now = useNetworkNow();
  const runId = useApp((state) => state.runId);
  const training = useApp((state) => state.runState === 'training');
  const step = useLiveValue((live) => (now === 'run' ? live.step : 0));
  const image = usePad((state) => state.image);
  const [seen, setSeen] = useState<Seen>();
  const network = now === 'trained' ? now : now === 'run' && step > 0 ? `run ${runId}` : undefined;
  const layers = seen !== undefined && seen.network === network ? seen.layers : undefined;
  // The filters of the first convolution come with it.
  const layer = layers?.find(({ op }) => op === 'conv')?.name ?? 'input';
  const key = network !== undefined && image ? [network, step, keyOf(image), layer].join(' ') : undefined;
  const [element, answer] = useLiveAnswer<LookAtPad, HTMLDivElement>(
    key,
    training && now === 'run' ? ASK_EVERY_MS.training : ASK_EVERY_MS.drawing,
    async (): Promise<Result<LookAtPad>> => {
      if (network === undefined || !image) return fail({ code: 'cancelled', message: '' });
      const maps = layers && drawnUnits(layers).map((unit) => unit.layer.name);
      const request = { image, layer, maps };
      const look = await ask((api) =>
        network === 'trained' ? api.inspect.lookTrained(request) : api.inspect.look(request),
      );
      if (!look.ok) return look;
      const found = look.value.layers;
      if (!layers || textOf(layers) !== textOf(found)) setSeen({ network, layers: found });
      return ok({ look: look.value, isShipped: network === 'trained' });
    },
  );
  const isShown = image !== undefined && (now === 'trained' || now === 'run');
  return [element, isShown && answer?.ok ? answer.value : undefined, seen?.layers];
}

const textOf = (layers: readonly LookLayer[]): string =>
  layers.map(({ name, shape }) => `${name} ${shape.join('x')}`).join();
