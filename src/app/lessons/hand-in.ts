/** What a pupil has done in a lesson, as a file to hand in. */
import { VERSION } from '../../base/version.ts';
import type { Result } from '../../base/result.ts';
import type { HandedRun } from '../../worker/api.ts';
import { ask } from '../client.ts';
import type { Lesson } from './format.ts';
import type { OpenedLesson } from './library.ts';
import { progressOf, type Evidence } from './progress.ts';

/** What a lesson sets and checks, whichever language its texts are in. */
export function contentOf(lesson: Lesson): object {
  const { texts: _, ...parts } = lesson;
  return parts;
}

export interface HandInFile {
  text: string;
  code: string;
}

/** @param name as the pupil typed it */
export async function handIn({ id, lesson }: OpenedLesson, name: string): Promise<Result<HandInFile>> {
  const { began, prediction, answers, done } = progressOf(id);
  const content = await ask((api) => api['handing-in'].fingerprint(contentOf(lesson)));
  if (!content.ok) return content;
  const records = runsOf(done);
  const runs: HandedRun[] = [];
  for (const [record, { step, engine }] of records) {
    const run = await ask((api) => api['handing-in'].handedRun(record, step, engine));
    if (!run.ok) return run;
    runs.push(run.value);
  }
  const places = [...records.keys()];
  const title = lesson.texts.title;
  return ask((api) =>
    api['handing-in'].handInFile({
      wgrad: VERSION,
      lesson: { name: id, title, content: content.value },
      ...(name === '' ? {} : { name }),
      began,
      prediction,
      answers,
      done: lesson.tasks.map((_, i) => {
        const { at, run } = done[i] ?? {};
        if (at === undefined) return null;
        return { at, ...(run ? { run: places.indexOf(run.record) } : {}) };
      }),
      runs,
    }),
  );
}

/** The runs that tasks were done with, each up to the last of these tasks, by the id under which it is kept. */
function runsOf(done: readonly (Evidence | null)[]) {
  const runs = new Map<string, NonNullable<Evidence['run']>>();
  for (const { run } of done.filter((one) => one !== null)) {
    const before = run && runs.get(run.record);
    if (run && (before?.step ?? 0) <= run.step) runs.set(run.record, run);
  }
  return runs;
}
