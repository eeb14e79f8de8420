/** Images of a data set, by split and class. */
import { elements } from '../../base/shape.ts';
import type { Dataset, ImageSet } from '../../data/dataset.ts';
import type { ImagePage, ImageQuery } from '../api.ts';

const NONE: ImageSet = { images: new Uint8Array(), labels: new Uint8Array(), count: 0 };

/** The requested part of the images that a query selects, in the data set's order. */
export function imagePage(
  dataset: Pick<Dataset, 'shape' | 'classes' | 'train' | 'test'>,
  { split, label, first, count }: Pick<ImageQuery, 'split' | 'label' | 'first' | 'count'>,
): ImagePage {
  const { shape, classes } = dataset;
  const { images, labels } = dataset[split] ?? NONE;
  const perClass = Array.from(classes, () => 0);
  const found: number[] = [];
  labels.forEach((one, i) => {
    perClass[one]++;
    if (label === undefined || one === label) found.push(i);
  });
  const indices = Uint32Array.from(found.slice(first, first + count));
  const size = elements(shape);
  const bytes = new Uint8Array(indices.length * size);
  indices.forEach((index, i) => bytes.set(images.subarray(index * size, (index + 1) * size), i * size));
  return {
    shape,
    classes,
    total: found.length,
    perClass,
    indices,
    labels: Uint8Array.from(indices, (index) => labels[index]),
    images: bytes,
  };
}
