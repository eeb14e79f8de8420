import type { Result } from '../../../base/result.ts';
import { useAnswer } from '../../components/use-answer.ts';
import { useApp } from '../../state/store.ts';
import { openLesson, type OpenedLesson } from './library.ts';

/** The lesson at an address of the Lessons screen, or what is wrong with it; undefined until it is read. */
export function useLesson(address: string | undefined): Result<OpenedLesson> | undefined {
  // A lesson of others is checked against what the page has.
  const isLoaded = useApp(({ models }) => models.length > 0);
  return useAnswer(isLoaded ? address : undefined, () => openLesson(address ?? ''));
}
