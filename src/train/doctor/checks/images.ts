import type { Check } from '../check.ts';
import { imagesOf, SeenImages } from '../images.ts';
import { whole } from '../words.ts';

/** Training images that are looked at. */
const SAMPLE = 2000;
/** Shares of them that may be copies of others, or show nothing. */
const [FEW, MANY] = [0.01, 0.2];

const images: Check = {
  name: 'images',
  title: 'Images differ',
  order: 0,
  about:
    'If images come out all equal, or blank, something went wrong on the way from the files to the network, and no network can learn from them.',

  examine(patient) {
    const sample = patient.sample(SAMPLE, 'images');
    const seen = new SeenImages();
    let blank = 0;
    for (const image of imagesOf(sample.images, sample.count)) {
      seen.add(image);
      if (image.every((byte) => byte === image[0])) blank++;
    }
    const copies = sample.count - seen.count;
    const numbers = { images: sample.count, copies, blank };
    const found =
      `Of ${whole(sample.count)} training images, ${copies === 0 ? 'none is' : `${copies} are`} the same as another to ` +
      `the last pixel, and ${blank === 0 ? 'none is' : `${blank} are`} of one colour all over.`;
    const share = Math.max(copies, blank) / sample.count;
    if (share <= FEW) return { light: 'good', found, numbers };
    return {
      light: share <= MANY ? 'watch' : 'bad',
      found,
      advice: 'Look at the sample images under Data on the Train screen: do they show what they should?',
      numbers,
    };
  },
};

export default images;
