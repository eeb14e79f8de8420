import { parsePlainJson } from '../../base/plain-json.ts';
import { isImageShape } from '../../base/shape.ts';
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
  setOwnModel(model: ModelFile | undefined): void;
}

const isList = (value: unknown, of: (one: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(of);
const isText = (value: unknown): value is string => typeof value === 'string';

function isLayer(value: unknown): boolean {
  const { name, op, inputs = [], attributes = {} } = (value ?? {}) as Record<string, unknown>;
  const isObject = typeof attributes === 'object' && attributes !== null;
  return isText(name) && isText(op) && isList(inputs, isText) && isObject;
}

/**
 * What was kept, if it has the form of a model. The worker validates the layers before anything is done with them.
 */
export function asModel(text: string | null): ModelFile | undefined {
  try {
    const model = (parsePlainJson(text ?? 'null') ?? {}) as ModelFile;
    const { name, title, description, input, classes, layers } = model;
    const whole =
      [name, title, description].every(isText) &&
      isImageShape(input) &&
      Number.isSafeInteger(classes) &&
      classes > 0 &&
      isList(layers, isLayer);
    return whole ? model : undefined;
  } catch {
    return undefined;
  }
}

export const ownModelSlice: Slice<OwnModelSlice> = (set) => ({
  ownModel: asModel(recall('model')),
  ownMistakes: 0,
  setOwnModel(ownModel) {
    remember('model', JSON.stringify(ownModel ?? null));
    set({ ownModel });
  },
});
