import { useMemo } from 'react';
import type { LayerRange } from '../../../base/layers/edit.ts';
import { elements } from '../../../base/shape.ts';
import type { LayerDescription, LayerKind, ModelChoice, ModelError, ModelFile } from '../../../worker/api.ts';
import { chosenSettings } from '../../actions/start.ts';
import type { RunChoices } from '../../state/algorithms.ts';
import { isAtHand } from '../../state/data.ts';
import { useApp, type AppState } from '../../state/store.ts';
import { useProfile } from '../../state/profile-store.ts';
import { useBuild } from './build-store.ts';

export const useModel = (): ModelFile => useBuild((state) => state.history.present);

/** The type of a layer, by its op. */
export function useKind(op: string | undefined): LayerKind | undefined {
  return useBuild((state) => state.catalogue?.kinds.find((kind) => kind.op === op));
}

export interface KnownModel {
  /** By name. While the worker checks the latest change, from before it. */
  layers: ReadonlyMap<string, LayerDescription>;
  errors: readonly (ModelError & { name: string })[];
  /** Whether it describes the model as it is now. */
  current: boolean;
}

/** The worker's description of the model. */
export function useKnown(): KnownModel {
  const described = useBuild((state) => state.described);
  const model = useModel();
  return useMemo(() => {
    const names = described?.model.layers.map(({ name }) => name) ?? [];
    const { layers = [], errors = [] } = described?.description ?? {};
    return {
      layers: new Map(layers.map((layer, i) => [names[i], layer])),
      errors: errors.map((error) => ({ ...error, name: names[error.layer] ?? '' })),
      current: described?.model === model,
    };
  }, [described, model]);
}

/** The batch size of the settings; 64 while the field is invalid. */
export const useBatchSize = (): number => useApp((state) => chosenSettings(state).config?.batchSize ?? 64);

export interface Costs {
  parameters: number;
  multiplyAdds: number;
  activationBytes: number;
}

/** The sums over part of the model. */
export function costsOf({ layers }: ModelFile, known: KnownModel, { first, last }: LayerRange): Costs {
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

/** The data set that the model would train on: the selected one if it matches, else preferably one that is ready. */
export function datasetFor({ datasets, settings }: AppState, { input, classes }: ModelFile) {
  const fits = datasets.filter((one) => one.shape.join() === input.join() && one.classes.length === classes);
  return fits.find(({ name }) => name === settings.dataset) ?? fits.find(isAtHand) ?? fits[0];
}

/** Milliseconds per training step. */
export interface PartTime {
  forward: number;
  backward: number;
}

/** Times of this model's layers, from the last profile of a step. */
export interface LayerTimes {
  batchSize: number;
  ofPart(part: LayerRange): PartTime | undefined;
}

/** Whether the model of a run or a profile is the one on this screen, with images of its input size. */
function useIsThis(trained: ModelChoice | undefined, dataset: string | undefined): boolean {
  const model = useModel();
  const presets = useBuild((state) => state.catalogue?.presets);
  const shape = useApp((state) => state.datasets.find(({ name }) => name === dataset)?.shape);
  const known: ModelFile | undefined =
    typeof trained === 'string' ? presets?.find(({ name }) => name === trained) : trained;
  return useMemo(
    () =>
      known !== undefined &&
      shape?.join() === model.input.join() &&
      JSON.stringify(known.layers) === JSON.stringify(model.layers),
    [known, shape, model],
  );
}

/** Undefined until a step of this very model was profiled. */
export function useTimes(): LayerTimes | undefined {
  const model = useModel();
  const profile = useProfile((state) => state.profile);
  const isThis = useIsThis(profile?.config.model, profile?.config.dataset);
  return useMemo(() => {
    if (!profile || !isThis) return undefined;
    const times = new Map(profile.layers.map((time) => [time.layer, time]));
    const ofPart = ({ first, last }: LayerRange): PartTime | undefined => {
      const own = model.layers
        .slice(Math.max(first, 0), last + 1)
        .flatMap(({ name }) => times.get(name) ?? []);
      if (own.length === 0) return undefined;
      const sum = (pick: (time: (typeof own)[number]) => number) =>
        own.reduce((total, time) => total + pick(time), 0);
      return { forward: sum(({ forwardMs }) => forwardMs), backward: sum(({ backwardMs }) => backwardMs) };
    };
    return { batchSize: profile.batchSize, ofPart };
  }, [profile, isThis, model]);
}

/** The algorithms of this model's convolutions in the last run, by layer and direction; undefined if it trained another model. */
export function useAlgorithms(): RunChoices | undefined {
  const config = useApp((state) => state.runConfig);
  const choices = useApp((state) => state.choices);
  return useIsThis(config?.model, config?.dataset) ? choices : undefined;
}
