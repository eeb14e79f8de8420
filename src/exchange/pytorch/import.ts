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
  context: Pick<ImportContext, 'model' | 'known' | 'assumed'>,
): Promise<Imported> {
  const { tensors, path, leftOut } = await readTorch(file, bytes);
  const imported = fromStateDict(file, tensors, context.known ?? {}, context);
  const where = path
    .map((key) => `“${key.slice(0, 40)}”`)
    .toReversed()
    .slice(0, 3)
    .join(' in ');
  const [first, ...more] = leftOut.map((name) => name.slice(0, 100));
  const others = more.length > 0 ? ` and ${more.length} more` : '';
  return {
    ...imported,
    notes: [
      ...(path.length > 0 ? [`The weights are those of ${where}.`] : []),
      ...(first === undefined ? [] : [`Only tensors are read; left out: ${first}${others}.`]),
      ...imported.notes,
    ],
  };
}
