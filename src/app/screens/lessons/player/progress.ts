/** What a person has done in lessons, kept in this browser. */
import { create } from 'zustand';
import * as v from 'valibot';
import { parsePlainJson } from '../../../../base/plain-json.ts';
import {
  NO_PROGRESS,
  progressSchema,
  type Evidence,
  type LessonProgress,
} from '../../../../lessons/progress.ts';
import { recall, remember } from '../../../state/remember.ts';

const KEY = 'lessons';
/** Lessons whose progress is kept, the last ones. */
const MOST = 60;

function kept(): Record<string, LessonProgress> {
  try {
    const read = v.safeParse(v.record(v.string(), progressSchema), parsePlainJson(recall(KEY) ?? '{}'));
    return read.success ? read.output : {};
  } catch {
    return {};
  }
}

export const useProgress = create<{ lessons: Readonly<Record<string, LessonProgress>> }>()(() => ({
  lessons: kept(),
}));

export const progressOf = (id: string): LessonProgress => useProgress.getState().lessons[id] ?? NO_PROGRESS;
export const useLessonProgress = (id: string): LessonProgress =>
  useProgress(({ lessons }) => lessons[id] ?? NO_PROGRESS);

/** Changes what is kept of a lesson. */
export function noteProgress(id: string, change: Partial<LessonProgress>): void {
  const { [id]: before = { ...NO_PROGRESS, began: new Date().toISOString() }, ...others } =
    useProgress.getState().lessons;
  const lessons = Object.fromEntries([
    ...Object.entries(others).slice(1 - MOST),
    [id, { ...before, ...change }],
  ]);
  remember(KEY, JSON.stringify(lessons));
  useProgress.setState({ lessons });
}

/** Forgets what was done in a lesson, to do it again. */
export function forgetProgress(id: string): void {
  const { [id]: _, ...lessons } = useProgress.getState().lessons;
  remember(KEY, JSON.stringify(lessons));
  useProgress.setState({ lessons });
}

/** A list with the entry at `i` changed; entries before it that are missing are filled. */
const withEntry = <T>(list: readonly T[], i: number, entry: T, empty: T): T[] =>
  Array.from({ length: Math.max(list.length, i + 1) }, (_, j) => (j === i ? entry : (list[j] ?? empty)));

/** Keeps an answer to the question of a task. */
export function noteAnswer(id: string, task: number, answer: number): void {
  const { answers } = progressOf(id);
  noteProgress(id, { answers: withEntry(answers, task, [...(answers[task] ?? []), answer], []) });
}

export const noteDone = (id: string, task: number, evidence: Evidence): void =>
  noteProgress(id, { done: withEntry(progressOf(id).done, task, evidence, null) });

export const isDone = ({ done }: LessonProgress, task: number): boolean => Boolean(done[task]);
export const allDone = (progress: LessonProgress, tasks: readonly unknown[]): boolean =>
  tasks.every((_, i) => isDone(progress, i));
