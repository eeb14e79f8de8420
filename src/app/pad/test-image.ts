import type { DatasetEntry } from '../../worker/api.ts';
import { ask } from '../client.ts';
import * as format from '../format.ts';
import { showOnPad } from './showing.ts';

/**
 * Puts a test image of a data set on the pad, which no training has seen; after the last one comes the first.
 * @param showing what to do with the image when it is there
 */
export async function showTestImage(
  { name, counts, classes }: DatasetEntry,
  at: number,
  showing: (show: () => void) => void = (show) => show(),
): Promise<void> {
  const first = at % Math.max(1, counts.test);
  const answer = await ask((api) => api.data.images({ dataset: name, split: 'test', first, count: 1 }));
  if (!answer.ok || answer.value.indices.length === 0) return;
  const { images, shape, indices, labels } = answer.value;
  const origin = `Test image ${format.count(indices[0])}: ${classes[labels[0]]}`;
  showing(() => showOnPad(images, shape, origin));
}
