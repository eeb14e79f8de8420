import { useMemo } from 'react';
import type { Part } from '../../../base/layers/edit.ts';
import { elements } from '../../../base/shape.ts';
import type { LayerDescription, LayerKind, Mistake, ModelFile } from '../../../worker/api.ts';
import { chosenSettings } from '../../actions/start.ts';
import { useApp, type AppState } from '../../state/store.ts';
import { useBuild } from './build-store.ts';

export const useModel = (): ModelFile => useBuild((state) => state.history.present);

/** A kind of layer by its op. */
export function useKind(op: string | undefined): LayerKind | undefined {
  return useBuild((state) => state.catalogue?.kinds.find((kind) => kind.op === op));
}

export interface Known {
  /** By name; what the worker said last, while it looks at the newest change. */
  layers: ReadonlyMap<string, LayerDescription>;
  mistakes: readonly (Mistake & { name: string })[];
  /** It is about the model as it is now. */
  current: boolean;
}

/** What is known of the model's layers. */
export function useKnown(): Known {
  const described = useBuild((state) => state.described);
  const model = useModel();
  return useMemo(() => {
    const names = described?.model.layers.map(({ name }) => name) ?? [];
    const { layers = [], mistakes = [] } = described?.description ?? {};
    return {
      layers: new Map(layers.map((layer, i) => [names[i], layer])),
      mistakes: mistakes.map((mistake) => ({ ...mistake, name: names[mistake.layer] ?? '' })),
      current: described?.model === model,
    };
  }, [described, model]);
}

/** Images a step, of the settings; the usual number while that is half typed. */
export const useBatchSize = (): number => useApp((state) => chosenSettings(state).config?.batchSize ?? 64);

export interface Costs {
  parameters: number;
  multiplyAdds: number;
  activationBytes: number;
}

/** The sums over a part of the model. */
export function costsOf({ layers }: ModelFile, known: Known, { first, last }: Part): Costs {
  const sums: Costs = { parameters: 0, multiplyAdds: 0, activationBytes: 0 };
  for (const { name } of layers.slice(Math.max(first, 0), last + 1)) {
    const layer = known.layers.get(name);
    if (!layer) continue;
    sums.parameters += layer.parameters.reduce((sum, { shape }) => sum + elements(shape), 0);
    sums.multiplyAdds += layer.multiplyAdds;
    sums.activationBytes += layer.activationBytes;
  }
  return sums;
}

/** The data set that the model would train on: the chosen one if the model is made for it, else one that is here. */
export function datasetFor({ datasets, settings }: AppState, { input, classes }: ModelFile) {
  const fits = datasets.filter((one) => one.shape.join() === input.join() && one.classes.length === classes);
  return (
    fits.find(({ name }) => name === settings.dataset) ??
    fits.find(({ status }) => status.state === 'ready') ??
    fits[0]
  );
}
