/** The images that the gallery shows: of a split and class, augmented or not, or the mistakes of the current model. */
import type { Result } from '../../base/result.ts';
import type { ImageQuery, StepAugmentation } from '../../worker/api.ts';
import { ask } from '../client.ts';
import { imageAt } from '../components/Tile.tsx';
import * as format from '../format.ts';
import type { Shape } from '../../base/shape.ts';
import { data as texts } from '../messages/en/data.tsx';

export interface GalleryQuery {
  dataset: string;
  classes: readonly string[];
  split: ImageQuery['split'];
  /** Only images of this class. */
  label: number | undefined;
  /** Only test images that the current model misclassifies. */
  mistakes: boolean;
  augmented: StepAugmentation | undefined;
}

export interface GalleryImage {
  image: Uint8Array;
  shape: Shape;
  /** "Test image 12: 7" */
  origin: string;
  caption: string;
  /** Something short at the right of the caption. */
  note?: string;
}

export interface GalleryPart {
  /** The length of the whole list. */
  total: number;
  /** Images per class in the split; unknown for mistakes. */
  perClass?: readonly number[];
  images: GalleryImage[];
}

/** Images that are fetched at once. */
const PART = 96;

/** The part of the list that starts at `first`. */
export const galleryPart = (query: GalleryQuery, first: number): Promise<Result<GalleryPart>> =>
  query.mistakes ? mistakesPart(query, first) : imagesPart(query, first);

async function imagesPart(query: GalleryQuery, first: number): Promise<Result<GalleryPart>> {
  const { dataset, classes, split, label, augmented } = query;
  const answer = await ask((api) =>
    api.data.images({
      dataset,
      split,
      first,
      count: PART,
      label,
      augmented: split === 'train' ? augmented : undefined,
    }),
  );
  if (!answer.ok) return answer;
  const { total, perClass, indices, labels, shape } = answer.value;
  const images = Array.from(indices, (index, i): GalleryImage => {
    const caption = classes[labels[i]];
    const origin = texts.gallery[split === 'train' ? 'ofTraining' : 'ofTest'](index, caption);
    return { image: imageAt(answer.value, i), shape, origin, caption };
  });
  return { ok: true, value: { total, perClass, images } };
}

async function mistakesPart({ classes, label }: GalleryQuery, first: number): Promise<Result<GalleryPart>> {
  const answer = await ask((api) =>
    api.inspect.predictedSamples({ mistakesOnly: true, order: 'surest', first, count: PART, label }),
  );
  if (!answer.ok) return answer;
  const { total, samples, shape } = answer.value;
  const images = samples.map(({ index, label: one, prediction, confidence }, i): GalleryImage => ({
    image: imageAt(answer.value, i),
    shape,
    origin: texts.gallery.ofTest(index, classes[one]),
    caption: `${classes[one]} → ${classes[prediction]}`,
    note: format.percent(confidence, 0),
  }));
  return { ok: true, value: { total, images } };
}
