/** What a person has done in a lesson: answers in their order, and what each task was done with. */
import * as v from 'valibot';

export const progressSchema = v.object({
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

export const NO_PROGRESS: LessonProgress = { began: '', at: 0, answers: [], done: [], started: false };
