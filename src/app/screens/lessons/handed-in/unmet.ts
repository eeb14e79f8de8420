/** Tasks that a file calls done, although its answers, or its runs as they are computed again, do not pass their checks. */
import type { HandedRun } from '../../../../run/handed-in/format.ts';
import { settingOf } from '../../../../run/settings/table.ts';
import { AGREEMENT } from '../../../../run/handed-in/verdict.ts';
import type { HandIn, ModelFile, RecomputedRun } from '../../../../worker/api.ts';
import {
  checkTask,
  kindOf,
  type CheckedRun,
  type CheckName,
  type LessonCheck,
} from '../../../lessons/checks.ts';
import { settingNamed, type Lesson } from '../../../lessons/format.ts';
import { measuredOf, setupOf } from '../../../lessons/moment.ts';
import { LiveMetrics } from '../../../metrics/live.ts';
import { useApp } from '../../../state/store.ts';

/** How far what a run on a GPU measured may be from the same on the CPU engine. */
const BOUNDS: Partial<Record<CheckName, number>> = {
  loss: AGREEMENT.median,
  'test-loss': AGREEMENT.testLoss,
  'train-accuracy': AGREEMENT.accuracy,
  'test-accuracy': AGREEMENT.accuracy,
  gap: 2 * AGREEMENT.accuracy,
};

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
  const judged = checks.filter((check) => isJudged(check, run)).map((check) => eased(check, run));
  for (const moment of momentsOf(run, again))
    if (checkTask(judged, moment).every(({ holds }) => holds)) return true;
  return false;
}

/** Whether a recomputed run shows it. The moment at which a setting was changed during the run is not in the file. */
function isJudged({ check, of = '' }: LessonCheck, { engine }: HandedRun): boolean {
  if (check === 'layers') return true;
  if (check !== 'setting') return Boolean(kindOf(check).ofRun) && (check !== 'diverged' || engine === 'cpu');
  const key = settingNamed(of);
  return key === undefined || settingOf(key).live !== 'step';
}

/** With the limits of a run on a GPU, which adds in another order. */
function eased(check: LessonCheck, { engine }: HandedRun): LessonCheck {
  const bound = engine === 'gpu' ? (BOUNDS[check.check] ?? 0) : 0;
  const by = (limit: number) => bound * Math.max(1, Math.abs(limit));
  const { atLeast, atMost } = check;
  return {
    ...check,
    ...(atLeast === undefined ? {} : { atLeast: atLeast - by(atLeast) }),
    ...(atMost === undefined ? {} : { atMost: atMost + by(atMost) }),
  };
}

/** What checks would have read after each of its steps and tests. */
function* momentsOf(run: HandedRun, { rows, evaluations, diverged }: RecomputedRun) {
  const model = run.model as string | ModelFile;
  const setup = setupOf({ ...run.settings, model, dataset: run.dataset }, useApp.getState());
  const metrics = new LiveMetrics();
  const now = (isBroken = false) => {
    const checked: CheckedRun = { ...setup, ...measuredOf(metrics), diverged: isBroken };
    return { next: setup, run: checked, pad: undefined, ownImages: 0, screen: '', answer: undefined };
  };
  for (const row of rows) {
    metrics.addSteps([row]);
    yield now();
    const evaluation = evaluations.find(({ step }) => step === row.step);
    if (!evaluation) continue;
    metrics.addEvaluation(evaluation);
    yield now();
  }
  if (diverged) yield now(true);
}
