/** Tasks that a file calls done, although its answers, or its runs as they are computed again, do not pass their checks. */
import type { HandedRun } from '../../../../run/handed-in/format.ts';
import { settingOf } from '../../../../run/settings/table.ts';
import type { HandIn, ModelFile, RecomputedRun } from '../../../../worker/api.ts';
import { checkTask, kindOf, moved, type LessonCheck } from '../../../lessons/checks.ts';
import { settingNamed, type Lesson } from '../../../lessons/format.ts';
import { momentsOf, setupOf } from '../../../lessons/moment.ts';
import { useApp } from '../../../state/store.ts';

/**
 * @param again for each run what computing it again has shown; undefined if it was not computed
 * @returns numbers of tasks, from 1. What cannot be judged passes
 */
export const unmetTasks = (
  { tasks }: Lesson,
  { done, answers, runs }: HandIn,
  again: readonly (RecomputedRun | undefined)[],
): number[] =>
  tasks.flatMap(({ checks }, i) => {
    const { run: at } = done[i] ?? {};
    const isRight = checks.every(({ check, of }) => check !== 'answer' || answers[i]?.includes(Number(of)));
    const needsRun = checks.some(({ check }) => kindOf(check).ofRun);
    const passes = isRight && (!needsRun || (at !== undefined && mayPass(checks, runs[at], again[at])));
    return !done[i] || passes ? [] : [i + 1];
  });

/** Whether all checks hold at one moment of a run. */
function mayPass(checks: readonly LessonCheck[], run: HandedRun, again: RecomputedRun | undefined): boolean {
  if (!again || again.verdict.how === 'unchecked' || again.rows.length < run.steps) return true;
  const judged = checks.filter((check) => isJudged(check, run));
  const { settings, dataset, engine } = run;
  const setup = setupOf({ ...settings, model: run.model as string | ModelFile, dataset }, useApp.getState());
  for (const moment of momentsOf(setup, again))
    if (
      checkTask(engine === 'gpu' ? judged.map((check) => moved(check, 1)) : judged, moment).every(
        ({ holds }) => holds,
      )
    )
      return true;
  return false;
}

/** Whether a recomputed run shows it. The moment at which a setting was changed during the run is not in the file. */
function isJudged({ check, of = '' }: LessonCheck, { engine }: HandedRun): boolean {
  if (check === 'layers') return true;
  if (check !== 'setting') return Boolean(kindOf(check).ofRun) && (check !== 'diverged' || engine === 'cpu');
  const key = settingNamed(of);
  return key === undefined || settingOf(key).live !== 'step';
}
