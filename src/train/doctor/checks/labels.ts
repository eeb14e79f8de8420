import type { FindingChart, Check } from '../check.ts';
import { whole } from '../words.ts';

/** How many times as many images the largest class may have as the smallest. */
const [EVEN, UNEVEN] = [2, 10];

const labels: Check = {
  name: 'labels',
  title: 'Class balance',
  order: 1,
  about:
    'With imbalanced classes, a network can reach high accuracy without learning the rare ones. Counted over all training images.',

  examine({ config: { dataset } }) {
    const counts = dataset.classes.map(() => 0);
    for (const label of dataset.train.labels.subarray(0, dataset.train.count)) counts[label]++;
    const [least, most] = [Math.min(...counts), Math.max(...counts)];
    const nameOf = (count: number) => `“${dataset.classes[counts.indexOf(count)]}”`;
    const numbers = { smallest: least, largest: most, classes: counts.length };
    const chart: FindingChart = {
      kind: 'bars',
      bars: counts.map((value, i) => ({ name: dataset.classes[i], value })),
    };
    if (least === 0) {
      const missing = counts.filter((count) => count === 0).length;
      return {
        light: 'bad',
        found: `${missing} of ${counts.length} classes have no training images, for example ${nameOf(0)}.`,
        advice: 'Check for off-by-one labels or missing data.',
        numbers,
        chart,
      };
    }
    const found =
      most === least
        ? `Each of the ${counts.length} classes has ${whole(most)} training images.`
        : `The largest class, ${nameOf(most)}, has ${whole(most)} training images; the smallest, ${nameOf(least)}, has ${whole(least)}: ` +
          `${(most / least).toFixed(1)} times as many.`;
    if (most <= EVEN * least) return { light: 'good', found, numbers, chart };
    return {
      light: most <= UNEVEN * least ? 'watch' : 'bad',
      found,
      advice:
        'Rely on the confusion matrix rather than on accuracy, and collect more images of the rare classes.',
      numbers,
      chart,
    };
  },
};

export default labels;
