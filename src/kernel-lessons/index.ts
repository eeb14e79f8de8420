import { assert } from '../base/assert.ts';
import { Registry } from '../base/registry.ts';
import type { KernelLesson } from './lesson.ts';

/** Every lesson: the default exports of the folders in lessons/. */
export const kernelLessons = new Registry<KernelLesson>(
  'kernel lesson',
  Object.values(import.meta.glob<KernelLesson>('./lessons/*/index.ts', { eager: true, import: 'default' })),
);

/** In the order in which they are learnt. */
export const lessonsInOrder = (): KernelLesson[] =>
  kernelLessons.all().sort((one, other) => one.order - other.order);

const texts: Record<string, string> = import.meta.glob('./lessons/*/*.wgsl', {
  query: '?raw&whole',
  import: 'default',
  eager: true,
});

/** The WGSL of a lesson: where a pupil starts, and what passes. */
export function kernelText(lesson: string, which: 'skeleton' | 'solution'): string {
  const text = texts[`./lessons/${lesson}/${which}.wgsl`];
  assert(text !== undefined, `the lesson ${lesson} has no ${which}`);
  return text;
}
