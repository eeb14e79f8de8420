/** Custom models, as files. */
import { parseModel } from '../../models/file/parse.ts';
import { toJson } from '../../models/file/write.ts';
import type { Model } from '../../models/model.ts';
import type { ModelFile } from '../api.ts';

/** A custom model as a file, with its name as the title if it has none. */
export const jsonOf = (model: ModelFile): string =>
  toJson({ ...model, title: model.title.trim() || model.name } as Model);

/**
 * A custom model, parsed like a file, because the page may have stored it with another version of this program.
 * @throws Failure `bad-file`
 */
export const customModel = (file: ModelFile): Model => parseModel(file.title, jsonOf(file));
