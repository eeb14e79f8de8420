/** What the lecture prints, digit for digit: its exercise of output sizes, whose answers it leaves to its readers. */
import type { Published } from '../study.ts';

const given = (what: string, value: string): Published => ({ what: `exercise, ${what}`, value, unit: '' });

export const PRINTED = {
  size: given('rows and columns of the image', '28'),
  filter: given('rows and columns of the filter', '5'),
  padding: given('padding on each side', '2'),
  stride: given('stride, first', '1'),
  otherStride: given('stride, second', '2'),
} satisfies Record<string, Published>;
