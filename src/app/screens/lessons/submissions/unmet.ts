/** Tasks that a file calls done, although its answers, or its runs as they are recomputed, do not pass their checks. */
import type { SubmittedRun } from '../../../../lessons/submission.ts';
import { settingOf } from '../../../../run/settings/table.ts';
import type { Submission, ModelFile, RecomputedRun } from '../../../../worker/api.ts';
import { checkTask, kindOf, type LessonCheck } from '../../../../lessons/checks.ts';
import { settingNamed, type Lesson } from '../../../../lessons/format.ts';
import { momentsOf, setupOf } from '../player/moment.ts';
import { useApp } from '../../../state/store.ts';

/**
 * @param recomputed for each run what recomputing it has shown; undefined if it was not computed
 * @returns numbers of tasks, from 1. What cannot be judged passes
 */
export const unmetTasks = (
  { tasks }: Lesson,
  { done, answers, runs }: Submission,
  recomputed: readonly (RecomputedRun | undefined)[],
): number[] =>
  tasks.flatMap(({ checks }, i) => {
    const { run: at } = done[i] ?? {};
    const isRight = checks.every(({ check, of }) => check !== 'answer' || answers[i]?.includes(Number(of)));
    const needsRun = checks.some(({ check }) => kindOf(check).ofRun);
    const passes = isRight && (!needsRun || (at !== undefined && mayPass(checks, runs[at], recomputed[at])));
    return !done[i] || passes ? [] : [i + 1];
  });

/** Whether all checks hold at one moment of a run. */
function mayPass(
  checks: readonly LessonCheck[],
  run: SubmittedRun,
  recomputed: RecomputedRun | undefined,
): boolean {
  if (!recomputed || recomputed.verdict.how === 'unchecked') return true;
  if (recomputed.verdict.how === 'differs') return false;
  if (recomputed.rows.length < run.steps) return true;
  const judged = checks.filter(isJudged);
  const { settings, dataset, model } = run;
  const setup = setupOf({ ...settings, model: model as string | ModelFile, dataset }, useApp.getState());
  return [...momentsOf(setup, recomputed)].some((moment) =>
    checkTask(judged, moment).every(({ holds }) => holds),
  );
}

/** Whether a recomputed run shows it. The moment at which a setting was changed during the run is not in the file. */
function isJudged({ check, of = '' }: LessonCheck): boolean {
  if (check !== 'setting') return check === 'layers' || Boolean(kindOf(check).ofRun);
  const key = settingNamed(of);
  return key === undefined || settingOf(key).live !== 'step';
}
