/** How much an image counts in a run's loss, by its class. */
import { Failure } from '../base/result.ts';
import type { TrainingConfig } from './config.ts';

/**
 * One weight per class; undefined where all count alike. Balanced weights give every class that has training images the
 * same weight in all, and images the mean weight 1; classes without images get 0.
 * @throws Failure `bad-input` if there are not as many as classes
 */
export function classWeightsOf({
  classWeights,
  dataset: { train, classes },
}: Pick<TrainingConfig, 'classWeights' | 'dataset'>): readonly number[] | undefined {
  if (classWeights === undefined) return undefined;
  if (classWeights !== 'balanced') {
    if (classWeights.length === classes.length) return classWeights;
    throw new Failure(
      'bad-input',
      `class weights: expected one for each of ${classes.length} classes, found ${classWeights.length}`,
    );
  }
  const counts = classes.map(() => 0);
  for (const label of train.labels) counts[label]++;
  const present = counts.filter((count) => count > 0).length;
  return counts.map((count) => (count > 0 ? train.count / (present * count) : 0));
}
