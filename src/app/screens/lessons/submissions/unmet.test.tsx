import { expect, test } from 'vitest';
import { VERSION } from '../../../../base/version.ts';
import { submissionOf, type SubmittedRun, type Submission } from '../../../../lessons/submission.ts';
import type { Evaluation, StepRow } from '../../../../run/metrics/rows.ts';
import { completed } from '../../../../run/settings/rules.ts';
import type { RecomputedRun } from '../../../../worker/api.ts';
import type { LessonCheck } from '../../../../lessons/checks.ts';
import type { Lesson } from '../../../../lessons/format.ts';
import { unmetTasks } from './unmet.ts';

/** By step. The loss falls, then rises; a test after every two. */
const LOSSES = [2, 1, 0.5, 1];
const ACCURACIES = [0.9, 0.6];

const rows = LOSSES.map((loss, i) => ({ step: i + 1, loss, accuracy: 0.5 })) as StepRow[];
const evaluations = ACCURACIES.map((testAccuracy, i): Evaluation => {
  const epoch = i + 1;
  return { step: 2 * epoch, epoch, trainLoss: 1, testLoss: 1, testAccuracy };
});
const recomputed: RecomputedRun = {
  verdict: { how: 'confirmed', steps: LOSSES.length, compared: LOSSES.length },
  rows,
  evaluations,
  diverged: false,
};

const run: SubmittedRun = {
  engine: 'cpu',
  adapter: 'CPU',
  model: { layers: [{ op: 'conv' }, { op: 'linear' }] },
  dataset: 'digits',
  images: '',
  settings: completed({ trainImages: 50, lr: 0.1 }),
  adjustments: [],
  pins: [],
  steps: LOSSES.length,
  losses: { every: 1, values: '', checksum: '' },
};

const at = '2026-03-01T12:00:00.000Z';
const submissionWith = (change: Partial<Submission> = {}): Submission =>
  submissionOf({
    wgrad: VERSION,
    lesson: { name: 'loss', title: 'Loss', content: '' },
    began: at,
    answers: [],
    done: [{ at, run: 0 }],
    runs: [run],
    ...change,
  });
const lessonOf = (...checks: LessonCheck[]) => ({ tasks: [{ checks }] }) as unknown as Lesson;
const EPOCH: LessonCheck = { check: 'epochs', atLeast: 1 };

test('no task is met by a run that comes out otherwise', () => {
  const differing = {
    ...recomputed,
    rows: rows.slice(0, 1),
    verdict: { how: 'differs', steps: 1, what: 'loss', step: 1, there: 1, here: 2 } as const,
  };
  expect(unmetTasks(lessonOf(EPOCH), submissionWith(), [recomputed])).toEqual([]);
  expect(unmetTasks(lessonOf(EPOCH), submissionWith(), [differing])).toEqual([1]);
});

test.each<[string, LessonCheck[], number[]]>([
  ['what held for a moment', [{ check: 'test-accuracy', atLeast: 0.9 }, EPOCH], []],
  ['what never held', [{ check: 'test-accuracy', atLeast: 0.91 }, EPOCH], [1]],
  ['a mean loss', [{ check: 'loss', atMost: 1.125 }], []],
  ['a mean loss that is never so low', [{ check: 'loss', atMost: 1.1 }], [1]],
  [
    'what held at different moments',
    [
      { check: 'epochs', atLeast: 2 },
      { check: 'test-accuracy', atLeast: 0.9 },
    ],
    [1],
  ],
  ['a run that did not break down', [{ check: 'diverged' }], [1]],
  ['a setting of the run', [{ check: 'setting', of: 'images', atMost: 50 }, EPOCH], []],
  ['another setting', [{ check: 'setting', of: 'images', atMost: 40 }, EPOCH], [1]],
  ['one that may have changed meanwhile', [{ check: 'setting', of: 'lr', atMost: 0.01 }, EPOCH], []],
  ['a layer of the run', [{ check: 'layers', of: 'conv', atLeast: 1 }, EPOCH], []],
  ['a layer that it does not have', [{ check: 'layers', of: 'add', atLeast: 1 }, EPOCH], [1]],
  ['what no run shows', [{ check: 'confidence', of: 'run', atLeast: 1 }], []],
])('%s', (_, checks, unmet) => {
  expect(unmetTasks(lessonOf(...checks), submissionWith(), [recomputed])).toEqual(unmet);
});

test('a run that broke down, here as there', () => {
  expect(
    unmetTasks(lessonOf({ check: 'diverged' }), submissionWith(), [{ ...recomputed, diverged: true }]),
  ).toEqual([]);
});

const never = lessonOf({ check: 'steps', atLeast: 100 });

test('what nobody called done, and what was not recomputed to its end, is not judged', () => {
  expect(unmetTasks(never, submissionWith(), [recomputed])).toEqual([1]);
  expect(unmetTasks(never, submissionWith({ done: [null] }), [recomputed])).toEqual([]);
  expect(unmetTasks(never, submissionWith(), [undefined])).toEqual([]);
  expect(unmetTasks(never, submissionWith(), [{ ...recomputed, rows: rows.slice(1) }])).toEqual([]);
  const unchecked = { how: 'unchecked', why: 'version', steps: 4 } as const;
  expect(unmetTasks(never, submissionWith(), [{ ...recomputed, verdict: unchecked }])).toEqual([]);
});

test('a task that is measured on a run, and called done without one', () => {
  expect(unmetTasks(lessonOf(EPOCH), submissionWith({ done: [{ at }] }), [recomputed])).toEqual([1]);
});

test('an answer counts if it was given at some time', () => {
  const lesson = lessonOf({ check: 'answer', of: '2' });
  const answered = (...answers: number[]) => submissionWith({ answers: [answers], done: [{ at }], runs: [] });
  expect(unmetTasks(lesson, answered(1, 2), [])).toEqual([]);
  expect(unmetTasks(lesson, answered(1, 3), [])).toEqual([1]);
  expect(unmetTasks(lesson, submissionWith({ done: [{ at }] }), [])).toEqual([1]);
});
