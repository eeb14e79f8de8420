import type { Check } from '../check.ts';
import { whole } from '../words.ts';

/** How many times as many images the largest class may have as the smallest. */
const [EVEN, UNEVEN] = [2, 10];

const labels: Check = {
  name: 'labels',
  title: 'Labels are balanced',
  order: 1,
  about:
    'A network that sees one class far more often than another can be right most of the time without having learnt the rare one. Counted over all training images.',

  examine({ config: { dataset } }) {
    const counts = dataset.classes.map(() => 0);
    for (const label of dataset.train.labels.subarray(0, dataset.train.count)) counts[label]++;
    const [least, most] = [Math.min(...counts), Math.max(...counts)];
    const nameOf = (count: number) => `“${dataset.classes[counts.indexOf(count)]}”`;
    const numbers = { smallest: least, largest: most, classes: counts.length };
    if (least === 0) {
      const missing = counts.filter((count) => count === 0).length;
      return {
        light: 'bad',
        found: `${missing} of ${counts.length} classes have no training image at all, ${nameOf(0)} for one.`,
        advice: 'Look for labels that are off by one, or for a part of the data that was left out.',
        numbers,
      };
    }
    const found =
      most === least
        ? `Each of the ${counts.length} classes has ${whole(most)} training images.`
        : `The largest class, ${nameOf(most)}, has ${whole(most)} training images, the smallest, ${nameOf(least)}, ${whole(least)}: ` +
          `${(most / least).toFixed(1)} times as many.`;
    if (most <= EVEN * least) return { light: 'good', found, numbers };
    return {
      light: most <= UNEVEN * least ? 'watch' : 'bad',
      found,
      advice:
        'Trust the confusion matrix, by class, more than the accuracy; gather more of the rare classes.',
      numbers,
    };
  },
};

export default labels;
