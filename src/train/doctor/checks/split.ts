import type { Check } from '../check.ts';
import { imagesOf, SeenImages } from '../images.ts';
import { whole } from '../words.ts';

/** The share of test images that may be among the training images. */
const FEW = 0.01;

const split: Check = {
  name: 'split',
  title: 'Test images are new',
  order: 2,
  about:
    'The test accuracy says how well the network does on images that it never saw. Test images that are training images too make it look better than it is.',

  examine({ config: { dataset } }) {
    const { train, test } = dataset;
    if (!test) return { light: 'skipped', found: 'There are no test images here.', numbers: {} };
    const seen = new SeenImages();
    for (const image of imagesOf(train.images, train.count)) seen.add(image);
    let shared = 0;
    for (const image of imagesOf(test.images, test.count)) if (seen.has(image)) shared++;
    const numbers = { test: test.count, shared };
    if (shared === 0) {
      const found = `None of the ${whole(test.count)} test images is among the ${whole(train.count)} training images.`;
      return { light: 'good', found, numbers };
    }
    const percent = ((100 * shared) / test.count).toFixed(2);
    return {
      light: shared <= FEW * test.count ? 'watch' : 'bad',
      found: `${whole(shared)} of ${whole(test.count)} test images (${percent} %) are among the training images, to the last pixel.`,
      advice: 'Take them out of one of the two sets before you believe the test accuracy.',
      numbers,
    };
  },
};

export default split;
