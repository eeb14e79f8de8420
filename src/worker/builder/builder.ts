/** The Build screen's part of the worker, in one chunk that loads on the first request. */
import { kerasCode } from '../../models/code/keras.ts';
import { pytorchCode } from '../../models/code/pytorch.ts';
import { models } from '../../models/index.ts';
import type { BuildCatalogue, CodeLanguage, ModelFile } from '../api.ts';
import { customModel, jsonOf } from './custom.ts';
import { LAYER_KINDS } from './kinds.ts';

export { describeModel } from './fixes.ts';

export const buildCatalogue = (): BuildCatalogue => ({ kinds: [...LAYER_KINDS], presets: models.all() });

/** @throws Failure `bad-file` with the place of an error, `unsupported` for layers that the language does not have */
export function modelCode(file: ModelFile, language: CodeLanguage): string {
  if (language === 'json') return jsonOf(file);
  const model = customModel(file);
  return language === 'pytorch' ? pytorchCode(model) : kerasCode(model);
}
