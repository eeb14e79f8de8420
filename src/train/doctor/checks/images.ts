import type { FindingChart, Check } from '../check.ts';
import { imagesOf, ImageIndex } from '../images.ts';
import { whole } from '../words.ts';

/** Training images that are looked at. */
const SAMPLE = 2000;
/** Shares of them that may be copies of others, or show nothing. */
const [FEW, MANY] = [0.01, 0.2];

/** "none is", "1 is", "2 are" */
const some = (count: number, one: string, more: string): string =>
  `${count === 0 ? 'none' : whole(count)} ${count <= 1 ? one : more}`;

const images: Check = {
  name: 'images',
  title: 'Images',
  order: 0,
  about: 'Identical or blank images point to a problem in the data pipeline. No network can learn from them.',

  examine(patient) {
    const sample = patient.sample(SAMPLE, 'images');
    const seen = new ImageIndex();
    let blank = 0;
    for (const image of imagesOf(sample.images, sample.count)) {
      seen.add(image);
      if (image.every((byte) => byte === image[0])) blank++;
    }
    const copies = sample.count - seen.count;
    const numbers = { images: sample.count, copies, blank };
    const chart: FindingChart = {
      kind: 'bars',
      bars: [
        { name: 'distinct', value: seen.count },
        { name: 'duplicates', value: copies },
        { name: 'blank', value: blank },
      ],
    };
    const found =
      `Of ${whole(sample.count)} training images, ${some(copies, 'duplicates', 'duplicate')} another exactly, and ` +
      `${some(blank, 'is', 'are')} blank (one colour).`;
    const share = Math.max(copies, blank) / sample.count;
    if (share <= FEW) return { light: 'good', found, numbers, chart };
    return {
      light: share <= MANY ? 'watch' : 'bad',
      found,
      advice: 'Check the sample images under Data on the Train screen.',
      numbers,
      chart,
    };
  },
};

export default images;
