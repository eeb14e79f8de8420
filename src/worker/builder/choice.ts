/** From a model choice to the model. */
import { lazily } from '../../base/lazily.ts';
import { models } from '../../models/index.ts';
import { fitModel, summarise, type Images, type Model } from '../../models/model.ts';
import type { ModelChoice, ModelEntry } from '../api.ts';

const custom = lazily(() => import('./custom.ts'));

/** A registered model, or a custom one. @throws Failure `not-found`, `bad-file` */
export async function modelOf(choice: ModelChoice): Promise<Model> {
  if (typeof choice === 'string') return models.get(choice);
  return (await custom()).customModel(choice);
}

/** A model's entry in the page's list. */
export function entryOf(model: Model): ModelEntry {
  const { name, title, description, family, input } = model;
  return { name, title, description, ...(family ? { family } : {}), inputShape: input, ...summarise(model) };
}

/** The model fitted to these images. @throws Failure if they do not match its input */
export const fittedEntry = async (choice: ModelChoice, images: Images): Promise<ModelEntry> =>
  entryOf(fitModel(await modelOf(choice), images));
