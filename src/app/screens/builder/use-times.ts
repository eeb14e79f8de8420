import { useMemo } from 'react';
import type { Part } from '../../../base/layers/edit.ts';
import type { ModelChoice, ModelFile } from '../../../worker/api.ts';
import type { RunChoices } from '../../state/algorithms.ts';
import { useApp } from '../../state/store.ts';
import { useProfile } from '../profile/profile-store.ts';
import { useBuild } from './build-store.ts';
import { useModel } from './use-known.ts';

/** Milliseconds of one training step. */
export interface PartTime {
  forward: number;
  backward: number;
}

/** What the last profile of a step says of this model's layers. */
export interface LayerTimes {
  /** Images in the step. */
  batchSize: number;
  ofPart(part: Part): PartTime | undefined;
}

/** Whether a run's or a profile's model is the one on this screen, with images of the size that it is made for. */
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

/** Undefined until a step of just this model was measured. */
export function useTimes(): LayerTimes | undefined {
  const model = useModel();
  const profile = useProfile((state) => state.profile);
  const isThis = useIsThis(profile?.config.model, profile?.config.dataset);
  return useMemo(() => {
    if (!profile || !isThis) return undefined;
    const times = new Map(profile.layers.map((time) => [time.layer, time]));
    const ofPart = ({ first, last }: Part): PartTime | undefined => {
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

/** How the last run computed this model's convolutions, by layer and direction; undefined if it trained another one. */
export function useAlgorithms(): RunChoices | undefined {
  const config = useApp((state) => state.runConfig);
  const choices = useApp((state) => state.choices);
  return useIsThis(config?.model, config?.dataset) ? choices : undefined;
}
