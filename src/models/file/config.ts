/** config.json of exported folders: the network, and what is known of its images. Unlike the weights' metadata, people read it. */
import { parsePlainJson } from '../../base/plain-json.ts';
import type { Model } from '../model.ts';
import { parseModel } from './parse.ts';
import { readWeightsMetadata, type Trained, type WeightsInfo } from './weights.ts';
import { toJson } from './write.ts';

/** Without the accuracy: others may train the weights on. */
export function configText({ model, info: { classes, dataset, normalisation, ground } }: Trained): string {
  const config = { model: JSON.parse(toJson(model)) as unknown, classes, dataset, ...normalisation, ground };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}

/**
 * What a config or a model's file says.
 * @returns undefined for JSON of other programs
 * @throws Failure as `parseModel` and `readWeightsMetadata`
 */
export function readConfig(file: string, text: string): (WeightsInfo & { model: Model }) | undefined {
  const config = membersOf(text);
  if (Array.isArray(config['layers'])) return { model: parseModel(file, text) };
  const { model, classes, ...others } = config;
  if (!Array.isArray((model as Record<string, unknown> | null | undefined)?.['layers'])) return undefined;
  const texts = Object.entries(others).map(([key, value]) => [key, String(value)] as const);
  const metadata = new Map(texts).set('model', JSON.stringify(model));
  if (classes !== undefined) metadata.set('classes', JSON.stringify(classes));
  return readWeightsMetadata(file, metadata) as WeightsInfo & { model: Model };
}

/** The model of a config or a model's file. @throws Failure as `readConfig`, also for everything else */
export const readModelFile = (file: string, text: string): Model =>
  readConfig(file, text)?.model ?? parseModel(file, text);

function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(parsePlainJson(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
