/** What a person has done in lessons, kept in this browser: answers in their order, and what each task was done with. */
import { create } from 'zustand';
import * as v from 'valibot';
import { parsePlainJson } from '../../base/plain-json.ts';
import { recall, remember } from '../state/remember.ts';

const KEY = 'lessons';
/** Lessons whose progress is kept, the last ones. */
const MOST = 60;

const progressSchema = v.object({
  /** ISO 8601. */
  began: v.string(),
  /** Of the question at the beginning, from 1. */
  prediction: v.optional(v.number()),
  /** The task that is shown. */
  at: v.number(),
  /** For each task all answers to its question, in order, from 1. */
  answers: v.array(v.array(v.number())),
  /** For each task, when and with what it was done. */
  done: v.array(
    v.nullable(
      v.object({
        at: v.string(),
        /** The values that its checks found. */
        values: v.array(v.nullable(v.union([v.number(), v.string(), v.boolean()]))),
        /** The run that they were measured on, by the id under which it is kept, its seed and engine. */
        run: v.optional(
          v.object({
            record: v.string(),
            seed: v.number(),
            step: v.number(),
            engine: v.picklist(['cpu', 'gpu']),
          }),
        ),
      }),
    ),
  ),
  /** The run that was there before: it counts for nothing. */
  before: v.optional(v.string()),
  /** Whether it has been set up. */
  started: v.boolean(),
});

export type LessonProgress = v.InferOutput<typeof progressSchema>;
export type Evidence = NonNullable<LessonProgress['done'][number]>;

const NOTHING: LessonProgress = { began: '', at: 0, answers: [], done: [], started: false };

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

export const progressOf = (id: string): LessonProgress => useProgress.getState().lessons[id] ?? NOTHING;
export const useLessonProgress = (id: string): LessonProgress =>
  useProgress(({ lessons }) => lessons[id] ?? NOTHING);

/** Changes what is kept of a lesson. */
export function noteProgress(id: string, change: Partial<LessonProgress>): void {
  const { [id]: before = { ...NOTHING, began: new Date().toISOString() }, ...others } =
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
