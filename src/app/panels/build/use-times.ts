import type { Part } from '../../../base/layers/edit.ts';
import type { ModelFile } from '../../../worker/api.ts';
import type { RunChoices } from '../../state/lab.ts';
import { useApp } from '../../state/store.ts';
import { useModel } from './use-known.ts';

/** Milliseconds of one training step, by layer. */
export interface LayerTimes {
  ofPart(model: ModelFile, part: Part): { forward: number; backward: number } | undefined;
}

export function useTimes(): LayerTimes | undefined {
  return undefined;
}

/** How the last run computed this model's convolutions, by layer and direction; undefined if it trained another one. */
export function useAlgorithms(): RunChoices | undefined {
  const model = useModel();
  const trained = useApp((state) => state.runConfig?.model);
  const choices = useApp((state) => state.choices);
  return trained === model || JSON.stringify(trained) === JSON.stringify(model) ? choices : undefined;
}
