/**
 * What each lesson trains, with seeds 1 to 10 on the CPU engine, judged by the lesson's own checks. A task has to be done with
 * a margin: a GPU adds in another order, which changes what is measured about as much as another seed does. Numbers that texts state are compared with the same runs.
 */
import { afterAll, describe, expect, test } from 'vitest';
import { isExhaustive } from '../../../../base/testing/tier.ts';
import {
  checkTask,
  kindOf,
  type CheckMoment,
  type CheckName,
  type LessonCheck,
} from '../../../../lessons/checks.ts';
import { builtIn } from '../library.ts';
import { momentsOf } from './moment.ts';
import type { Played } from './testing/played.ts';
import { lessonTitles } from '../titles.ts';

const SEEDS = Array.from({ length: 10 }, (_, i) => i + 1);

/** Digits that are drawn clearly: this share of those that are read rightly is less sure, and as many are surer. */
const UNCLEAR = 0.05;
/** What is to be left to the limits of a confidence: how clearly somebody draws is another matter. */
const DRAWING = 0.05;

/** What a GPU measures may be so far from the same on the CPU engine, relative to numbers above 1. */
const APART: Partial<Record<CheckName, number>> = {
  loss: 0.15,
  'test-loss': 0.1,
  'train-accuracy': 0.04,
  'test-accuracy': 0.04,
  gap: 0.08,
};

/** What has a limit and can come close to it, with what has to be left; undefined for a check that is exact. */
function marginOf(
  check: LessonCheck,
  value: number,
): { check: LessonCheck; value: number; left: number; needed: number } | undefined {
  const { atLeast = -Infinity, atMost = Infinity } = check;
  const scale = Math.max(1, Math.min(Math.abs(atLeast), Math.abs(atMost)));
  const needed = check.check === 'confidence' ? DRAWING : (APART[check.check] ?? 0) * scale;
  return needed > 0 ? { check, value, left: Math.min(value - atLeast, atMost - value), needed } : undefined;
}

type Margin = NonNullable<ReturnType<typeof marginOf>>;

const closest = (margins: readonly Margin[]): number =>
  Math.min(...margins.map(({ left, needed }) => left / needed));

/** The margins at one moment; undefined unless all exact checks hold and everything was measured. */
function marginsAt(checks: readonly LessonCheck[], moment: CheckMoment): Margin[] | undefined {
  const results = checkTask(checks, moment);
  const margins = results.map(({ check, value }) =>
    value === undefined ? undefined : marginOf(check, Number(value)),
  );
  return results.every(({ holds }, i) => holds || margins[i])
    ? margins.filter((one) => one !== undefined)
    : undefined;
}

/** By how much a task is done: at the run's best moment, since it stays done; undefined if it never is. */
function doneBy(checks: readonly LessonCheck[], run: Played): Margin[] | undefined {
  const at = (moments: Iterable<CheckMoment>) =>
    [...moments].flatMap((moment) => {
      const margins = marginsAt(checks, moment);
      return margins ? [margins] : [];
    });
  if (!isOnPad(checks))
    return at(momentsOf(run.setup, run))
      .toSorted((a, b) => closest(b) - closest(a))
      .at(0);
  const { setup: next, confidences } = run;
  const other = { next, run: undefined, ownImages: 0, screen: '', answer: undefined };
  return at(
    [UNCLEAR, 1 - UNCLEAR].map((share) => {
      const confidence = confidences[Math.floor(share * confidences.length)];
      return { ...other, pad: { network: 'run' as const, confidence } };
    }),
  )
    .toSorted((a, b) => closest(a) - closest(b))
    .at(0);
}

const isOnPad = (checks: readonly LessonCheck[]) =>
  checks.some(({ check, of }) => check === 'confidence' && of === 'run');
const isTrained = (checks: readonly LessonCheck[]) =>
  isOnPad(checks) || checks.some(({ check }) => kindOf(check).ofRun);

/** Of the whole run, in its last epoch. */
const tested = ({ evaluations }: Played) => evaluations.at(-1)?.testAccuracy ?? NaN;
const learnt = ({ setup, ...run }: Played) => [...momentsOf(setup, run)].at(-1)?.run.trainAccuracy ?? NaN;

/** A number that a lesson's text states, and between what that is so. */
interface Statement {
  /** From 1. */
  task: number;
  text: string;
  value: (run: Played) => number;
  between: readonly [number, number];
}

const STATED: Readonly<Record<string, readonly Statement[]>> = {
  'learning-rate': [
    { task: 1, text: 'Within a few steps', value: ({ rows }) => rows.length, between: [2, 5] },
    { task: 2, text: 'it hardly learnt anything', value: tested, between: [0.05, 0.2] },
  ],
  overfitting: [
    { task: 2, text: 'nearly 100 % right of its own', value: learnt, between: [0.97, 1] },
    { task: 2, text: 'only 60 % in the test', value: tested, between: [0.5, 0.7] },
  ],
  depth: [{ task: 2, text: 'about 90 of 100', value: tested, between: [0.86, 0.95] }],
  initialisation: [{ task: 1, text: '10 of 100 right', value: tested, between: [0.08, 0.12] }],
  'batch-size': [{ task: 1, text: 'not much better than guessing', value: tested, between: [0.05, 0.3] }],
  augmentation: [
    { task: 1, text: 'knows its 200 pictures by heart', value: learnt, between: [0.97, 1] },
    { task: 1, text: 'about 80 of 100 new ones', value: tested, between: [0.75, 0.86] },
  ],
};

test.each(Object.keys(STATED))('%s states what is compared here', async (name) => {
  const { texts } = (await builtIn(name)).lesson;
  for (const { text } of STATED[name]) expect(JSON.stringify(texts)).toContain(text);
});

const table: string[] = [];
const row = (...cells: string[]) => table.push(`| ${cells.join(' | ')} |`);
const range = (values: readonly number[]) =>
  [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(3)).join(' to ');

describe.runIf(isExhaustive)(`with seeds 1 to ${SEEDS.length}`, () => {
  row('lesson, task', 'check', 'found', 'left', 'needed');
  afterAll(() => console.log(table.join('\n')));
  test.each(lessonTitles.map(({ name }) => name))('%s', async (name) => {
    const { preparedOf, played } = await import('./testing/played.ts');
    const { lesson } = await builtIn(name);
    const prepared = await preparedOf(name, lesson);
    const runs = new Map<object, Played[]>();
    for (const [i, { checks }] of lesson.tasks.entries()) {
      if (!isTrained(checks)) continue;
      const bySeed = runs.get(prepared[i]) ?? [];
      runs.set(prepared[i], bySeed);
      for (const seed of SEEDS) bySeed[seed - 1] ??= await played(prepared[i], seed);
      const where = `${name}, ${i + 1}`;
      const done = bySeed.map((run) => doneBy(checks, run));
      for (const [k, margins] of done.entries()) {
        expect.soft(margins, `${where}, seed ${SEEDS[k]}`).toBeDefined();
        for (const { check, value, left, needed } of margins ?? [])
          expect
            .soft(left, `${where}, seed ${SEEDS[k]}: ${check.check} is ${value}`)
            .toBeGreaterThanOrEqual(needed);
      }
      if (done[0]?.length === 0) row(where, 'exact', done.every(Boolean) ? 'done' : 'not done', '', '');
      for (const [k, { check, needed }] of (done[0] ?? []).entries()) {
        const each = done.flatMap((margins) => margins?.[k] ?? []);
        const limits = [check.atLeast, check.atMost].map((limit) => limit ?? '').join(' to ');
        const left = Math.min(...each.map((one) => one.left)).toFixed(3);
        row(where, `${check.check} ${limits}`, range(each.map(({ value }) => value)), left, String(needed));
      }
      for (const { task, text, value, between } of STATED[name] ?? []) {
        if (task !== i + 1) continue;
        const values = bySeed.map(value);
        row(where, `“${text}”`, range(values), '', between.join(' to '));
        for (const [k, one] of values.entries()) {
          expect.soft(one, `${where}, seed ${SEEDS[k]}: “${text}”`).toBeGreaterThanOrEqual(between[0]);
          expect.soft(one, `${where}, seed ${SEEDS[k]}: “${text}”`).toBeLessThanOrEqual(between[1]);
        }
      }
    }
  });
});
