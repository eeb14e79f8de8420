import type { ModelChoice, ModelFile } from '../../worker/api.ts';
import { recall, remember } from './remember.ts';
import type { Slice } from './slice.ts';

/** What the settings call the model that was built here. No registered model has this name. */
export const OWN_MODEL = 'own model';

/** One text for a model, to keep things under: registered ones by name, all built ones together. */
export const modelKey = (model: ModelChoice): string => (typeof model === 'string' ? model : OWN_MODEL);

export interface OwnModelSlice {
  /** The model that was built here; kept for the next visit. */
  ownModel: ModelFile | undefined;
  /** How many mistakes it has, as far as that is known. */
  ownMistakes: number;
  setOwnModel(model: ModelFile): void;
  setOwnMistakes(count: number): void;
}

/** What was kept, if it is a model at all. Its layers are checked by the worker before anything is done with them. */
function kept(): ModelFile | undefined {
  try {
    const model = JSON.parse(recall('model') ?? 'null') as ModelFile | null;
    const whole =
      typeof model?.title === 'string' &&
      Array.isArray(model.input) &&
      Array.isArray(model.layers) &&
      model.layers.every((layer) => typeof layer?.name === 'string' && typeof layer.op === 'string');
    return whole ? model : undefined;
  } catch {
    return undefined;
  }
}

export const ownModelSlice: Slice<OwnModelSlice> = (set) => ({
  ownModel: kept(),
  ownMistakes: 0,
  setOwnModel(ownModel) {
    remember('model', JSON.stringify(ownModel));
    set({ ownModel });
  },
  setOwnMistakes: (ownMistakes) => set({ ownMistakes }),
});
