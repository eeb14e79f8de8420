import { percent } from '../../../base/percent.ts';
import type { FindingChart, Check } from '../check.ts';
import { imagesOf, ImageIndex } from '../images.ts';
import { whole } from '../words.ts';

/** The share of test images that may be among the training images. */
const FEW = 0.01;

const split: Check = {
  name: 'split',
  title: 'Test images',
  order: 2,
  about:
    'Test accuracy measures performance on unseen images. Test images that are also in the training set inflate it.',

  examine({ config: { dataset } }) {
    const { train, test } = dataset;
    if (!test) return { light: 'skipped', found: 'This data set has no test images.', numbers: {} };
    const seen = new ImageIndex();
    for (const image of imagesOf(train.images, train.count)) seen.add(image);
    let shared = 0;
    for (const image of imagesOf(test.images, test.count)) if (seen.has(image)) shared++;
    const numbers = { test: test.count, shared };
    const chart: FindingChart = {
      kind: 'bars',
      bars: [
        { name: 'unseen', value: test.count - shared },
        { name: 'also in training', value: shared },
      ],
    };
    if (shared === 0) {
      const found = `None of the ${whole(test.count)} test images is among the ${whole(train.count)} training images.`;
      return { light: 'good', found, numbers, chart };
    }
    return {
      light: shared <= FEW * test.count ? 'watch' : 'bad',
      found: `${whole(shared)} of ${whole(test.count)} test images (${percent(shared / test.count, 2)}) are exact duplicates of training images.`,
      advice: 'Remove the duplicates from one of the two sets before relying on the test accuracy.',
      numbers,
      chart,
    };
  },
};

export default split;
