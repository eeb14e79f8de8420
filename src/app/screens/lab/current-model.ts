import { useState } from 'react';
import type { ConvPin, LayerUse, ModelChoice, RunConfig } from '../../../worker/api.ts';
import { chosenSettings } from '../../actions/start.ts';
import { ask } from '../../client.ts';
import { modelKey } from '../../state/own-model.ts';
import { runIsOpen } from '../../state/run.ts';
import { useApp } from '../../state/store.ts';
import { useAnswer } from '../../components/use-answer.ts';

/** The model of the open run or, if there is none, of the next one. */
export interface CurrentModel {
  model: ModelChoice;
  /** The key of its pins. */
  key: string;
  title: string;
  batchSize: number;
  optimizer: string;
  /** The setting. */
  algorithm: RunConfig['convAlgorithm'];
}

export function useCurrentModel(): CurrentModel | undefined {
  // A string: a new object each time would render the Lab with every change of the store.
  const text = useApp((state) => {
    const config = runIsOpen(state.runState) ? state.runConfig : chosenSettings(state).config;
    const model = config?.model ?? state.settings.model;
    const known = typeof model === 'string' ? state.models.find(({ name }) => name === model) : model;
    if (!known) return undefined;
    const current: CurrentModel = {
      model,
      key: modelKey(model),
      title: known.title,
      batchSize: config?.batchSize ?? 64,
      optimizer: config?.optimizer ?? 'adam',
      algorithm: config?.convAlgorithm ?? 'auto',
    };
    return JSON.stringify(current);
  });
  return text === undefined ? undefined : (JSON.parse(text) as CurrentModel);
}

const NO_PINS: readonly ConvPin[] = [];
const NO_USES: readonly LayerUse[] = [];

/**
 * The convolutions of the current model, one per direction; empty until they are known.
 * @param again a change of it asks for them again
 */
export function useUses(current: CurrentModel | undefined, again = ''): readonly LayerUse[] {
  const { model = '', key: kept = '', batchSize = 0, algorithm = 'auto' } = current ?? {};
  const ready = useApp((state) => state.device === 'ready');
  const pins = useApp((state) => state.pins[kept] ?? NO_PINS);
  const key = current && ready ? JSON.stringify([model, batchSize, pins, algorithm]) : undefined;
  const answer = useAnswer(key && `${key} ${again}`, () =>
    ask((api) => api.lab.modelUses(model, batchSize, { pins: [...pins], algorithm })),
  );
  // The last answer stays until the next one arrives, so that nothing jumps.
  const of = JSON.stringify([model, batchSize]);
  const [shown, setShown] = useState<{ of: string; uses: readonly LayerUse[] }>();
  if (answer?.ok && shown?.uses !== answer.value) setShown({ of, uses: answer.value });
  return shown?.of === of ? shown.uses : NO_USES;
}
