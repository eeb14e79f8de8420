import type { DatasetEntry } from '../../worker/api.ts';
import { ask } from '../client.ts';
import { showOnPad } from './pad-image.ts';
import { train as texts } from '../messages/en/train.tsx';

/**
 * Puts a test image of a data set on the pad, which no training has seen; after the last one comes the first.
 * @param showing what to do with the image when it is there
 */
export async function showTestImage(
  { name, counts }: DatasetEntry,
  at: number,
  showing: (show: () => void) => void = (show) => show(),
): Promise<void> {
  const first = at % Math.max(1, counts.test);
  const answer = await ask((api) => api.data.images({ dataset: name, split: 'test', first, count: 1 }));
  if (!answer.ok || answer.value.indices.length === 0) return;
  const { images, shape, classes, indices, labels } = answer.value;
  showing(() => showOnPad(images, shape, texts.pad.ofTest(indices[0], classes[labels[0]])));
}
