/** From a model choice to the model. */
import { models } from '../../models/index.ts';
import { parseModel } from '../../models/file/parse.ts';
import { toJson } from '../../models/file/write.ts';
import { fitModel, summarise, type Images, type Model } from '../../models/model.ts';
import type { ModelChoice, ModelEntry, ModelFile } from '../api.ts';

/**
 * A registered model, or a custom one. That is parsed like a file, because the page may have stored it with another
 * version of this program.
 * @throws Failure `not-found`, `bad-file`
 */
export const modelOf = (choice: ModelChoice): Model =>
  typeof choice === 'string' ? models.get(choice) : parseModel(choice.title, jsonOf(choice));

/** A custom model as a file, with its name as the title if it has none. */
export const jsonOf = (model: ModelFile): string =>
  toJson({ ...model, title: model.title.trim() || model.name } as Model);

/** A model as the page lists it. */
export function entryOf(model: Model): ModelEntry {
  const { name, title, description, family, input } = model;
  return { name, title, description, ...(family ? { family } : {}), inputShape: input, ...summarise(model) };
}

/** The model as it trains on these images. @throws Failure if they do not match its input */
export const fittedEntry = (choice: ModelChoice, images: Images): ModelEntry =>
  entryOf(fitModel(modelOf(choice), images));
