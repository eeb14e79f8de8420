import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { Failure } from '../base/result.ts';
import { models } from '../models/index.ts';
import { readModelFile } from '../models/file/config.ts';
import { MAX_TEXT } from '../models/file/parse.ts';
import type { Model } from '../models/model.ts';
import { text, withDefault, type Option } from './arguments.ts';
import type { NamedFile } from './outputs.ts';
import { readBytes } from '../node/read.ts';

/** For help and messages. */
export const modelNames = (): string => models.names().join(', ');

/** The file of a model, unless it is a name. */
export const modelFiles = (given: unknown): readonly NamedFile[] =>
  String(given).endsWith('.json') ? [{ path: String(given), kind: 'model' }] : [];

/** A model by name or by file. */
export const modelText = (summary: string): Option<string> => ({
  ...text('NAME|FILE.json', summary),
  reads: modelFiles,
});

export const modelOption = withDefault(
  modelText(`one of ${modelNames()}, or a file: docs/models.md`),
  'lenet5',
);

/** Of a model's file. The characters that are read at most may have four bytes each. */
const MAX_BYTES = 4 * MAX_TEXT;

/** @param given a registered model's name, or the path of a file, which ends in .json */
export async function readModel(given: string): Promise<Model> {
  if (!given.endsWith('.json')) return models.get(given);
  const name = basename(given);
  if (!existsSync(given)) throw new Failure('not-found', `${name}: file not found`, `Looked for ${given}.`);
  return readModelFile(name, new TextDecoder().decode(await readBytes(given, MAX_BYTES)));
}
