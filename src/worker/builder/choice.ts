/** Which model a choice means. */
import { models } from '../../models/index.ts';
import { parseModel } from '../../models/file/parse.ts';
import { toJson } from '../../models/file/write.ts';
import { fitModel, summarise, type Images, type Model } from '../../models/model.ts';
import type { ModelChoice, ModelEntry, ModelFile } from '../api.ts';

/**
 * A registered model, or one that somebody built: that is read like a file, since the page may have kept it from another
 * version of this program.
 * @throws Failure `not-found`, `bad-file`
 */
export const modelOf = (choice: ModelChoice): Model =>
  typeof choice === 'string' ? models.get(choice) : parseModel(choice.title, jsonOf(choice));

/** A built model as a file. One without a title goes by its name. */
export const jsonOf = (model: ModelFile): string =>
  toJson({ ...model, title: model.title.trim() || model.name } as Model);

/** A model as the page lists it. */
export function entryOf(model: Model): ModelEntry {
  const { name, title, description, family, input } = model;
  return { name, title, description, ...(family ? { family } : {}), inputShape: input, ...summarise(model) };
}

/** The model as it trains on these images. @throws Failure if it cannot take them */
export const fittedEntry = (choice: ModelChoice, images: Images): ModelEntry =>
  entryOf(fitModel(modelOf(choice), images));
