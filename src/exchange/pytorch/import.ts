import { fromStateDict } from '../state-dict.ts';
import type { Imported } from '../imported.ts';
import type { ImportContext } from '../importers.ts';
import { readTorch } from './read.ts';

/**
 * The network that the weights of a .pt or .pth file belong to.
 * @throws Failure as `readTorch` and `fromStateDict`
 */
export async function fromTorch(
  file: string,
  bytes: Uint8Array<ArrayBuffer>,
  context: Pick<ImportContext, 'model'>,
): Promise<Imported> {
  const { tensors, path } = await readTorch(file, bytes);
  const imported = fromStateDict(file, tensors, {}, context);
  if (path.length === 0) return imported;
  const where = path.map((key) => `“${key.slice(0, 40)}”`).join(' in ');
  return { ...imported, notes: [`The weights are those of ${where}.`, ...imported.notes] };
}
