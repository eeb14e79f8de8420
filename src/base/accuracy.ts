/** How accuracies are written: with what they were measured on, and no more exactly than that allows. */
import { percent } from './percent.ts';
import { wilsonInterval } from './wilson.ts';

/** With fewer, an accuracy has an interval. */
const FEW = 1000;

const digitsFor = (images: number): number => (images >= FEW ? 2 : images >= 100 ? 1 : 0);

/** An accuracy with as many digits as its images allow: "92 %" of 12, "91.7 %" of 300, "98.61 %" of 2,000. */
export const accuracy = (share: number, images = FEW): string => percent(share, digitsFor(images));

/** On which images an accuracy was measured, and if they are few, where the true one lies: "12 images, 95 % interval 65 to 99 %". */
export function measuredOn(share: number, images: number): string {
  const on = `${images.toLocaleString('en')} ${images === 1 ? 'image' : 'images'}`;
  if (images >= FEW) return on;
  const [low, high] = wilsonInterval(share, images).map((end) => (100 * end).toFixed(digitsFor(images)));
  return `${on}, 95 % interval ${low} to ${high} %`;
}
