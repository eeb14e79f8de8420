import { lessons as texts } from '../messages/lessons.ts';
import type { Lesson } from './format.ts';
import type { LessonProgress } from './progress.ts';

/** Whether the guess at the beginning was right, in words. */
export function verdictOf({ right, texts: { choices } }: Lesson, { prediction }: LessonProgress): string {
  const answer = choices[right - 1];
  if (prediction === undefined) return texts.predict.none(answer);
  return prediction === right
    ? texts.predict.right(answer)
    : texts.predict.wrong(choices[prediction - 1] ?? '', answer);
}
