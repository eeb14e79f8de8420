/** What every convolution algorithm has to pass: the list of awkward problems, in all directions that it supports. */
import { describe, expect, test } from 'vitest';
import type { ConvAlgorithm, ConvSetting, Launch } from '../ops/conv/algorithm.ts';
import {
  DIRECTIONS,
  inputShape,
  outputShape,
  weightShape,
  type ConvProblem,
  type Direction,
} from '../ops/conv/problem.ts';
import { convBiasGradient, convDgrad, convFprop, convWgrad } from '../ops/conv/reference.ts';
import { DEFAULT_WORKSPACE, launchesOf, whyNot } from '../ops/conv/run.ts';
import { reluBackward, reluForward } from '../ops/relu/reference.ts';
import { expectClose, expectExact } from './check.ts';
import { integers, normals } from './fixtures.ts';
import { runPlan, testDevice } from './gpu.ts';
import { CONV_PROBLEMS, type Named } from './problems.ts';

/** Problems on which every launch runs, not only the one that is guessed best. */
const ALL_LAUNCHES = [
  'odd everything',
  'one channel',
  'groups',
  'everything unequal',
  'one more than tiles of 32',
  'tiles that fit',
  'long sums in wgrad',
];

/**
 * Tests an algorithm. Every other problem comes with all extras: a bias and ReLU in fprop, a mask in dgrad, the bias's
 * gradient in wgrad.
 * @param more problems of its own, all of which run with every launch
 */
export function testConvAlgorithm(algorithm: ConvAlgorithm, more: readonly Named<ConvProblem>[] = []): void {
  const problems = [...CONV_PROBLEMS, ...more];
  describe.each(DIRECTIONS)(`${algorithm.name} %s`, (direction) => {
    test.each(problems.map((one, i) => ({ ...one, extras: i % 2 === 0 })))(
      '$name',
      async ({ name, problem, extras }) => {
        const setting = await settingOf(problem);
        const reason = whyNot(algorithm, setting, direction);
        if (reason !== undefined) {
          // A sentence's end for people: "winograd_f2x3: not here because ...".
          expect(reason).toMatch(/^[a-z0-9].{10,}[^.]$/s);
          return;
        }
        const launches = launchesOf(algorithm, setting, direction);
        expect(launches.length).toBeGreaterThan(0);
        expect(launches.length).toBeLessThanOrEqual(24);
        expect(new Set(launches.map((launch) => launch.name)).size).toBe(launches.length);
        const every = ALL_LAUNCHES.includes(name) || more.some((one) => one.name === name);
        for (const launch of every ? launches : launches.slice(0, 1)) {
          expect(launch.workspaceBytes).toBeLessThanOrEqual(setting.workspace);
          await expectLaunch(algorithm, problem, direction, launch, extras);
        }
      },
    );
  });
}

export async function settingOf(problem: ConvProblem): Promise<ConvSetting> {
  return { device: await testDevice(), problem, workspace: DEFAULT_WORKSPACE, number: 'f32' };
}

/**
 * Runs one launch on whole and on real numbers and compares all of its results with float64.
 * @param extras with bias and ReLU, or mask, or the bias's gradient
 */
export async function expectLaunch(
  { exact, tolerance }: Pick<ConvAlgorithm, 'exact' | 'tolerance'>,
  problem: ConvProblem,
  direction: Direction,
  launch: Launch<Direction>,
  extras: boolean,
): Promise<void> {
  for (const kind of ['integers', 'normals']) {
    const make = kind === 'integers' ? integers : normals;
    const x = make(1, inputShape(problem));
    const w = make(2, weightShape(problem));
    const dy = make(3, outputShape(problem));
    const bias = make(4, [problem.K]);
    const check = (label: string, actual: Float32Array, expected: Float64Array) =>
      kind === 'integers' && exact
        ? expectExact(`${launch.name}: ${label}`, actual, expected)
        : expectClose(`${launch.name}: ${label}`, actual, expected, tolerance);
    if (direction === 'fprop') {
      const { y } = await runPlan({
        inputs: { x, w, bias },
        outputs: { y: dy.shape },
        workspace: launch.workspaceBytes,
        build: (plan, t) => {
          const given = extras ? { bias: t.bias, relu: true } : {};
          (launch as Launch<'fprop'>).add(plan, direction, { x: t.x, w: t.w, y: t.y, ...given });
        },
      });
      const expected = convFprop(problem, x.data, w.data, extras ? bias.data : undefined);
      check('y', y, extras ? reluForward(expected) : expected);
    } else if (direction === 'dgrad') {
      const { dx } = await runPlan({
        inputs: { dy, w, x },
        outputs: { dx: x.shape },
        workspace: launch.workspaceBytes,
        build: (plan, t) => {
          const given = extras ? { mask: t.x } : {};
          (launch as Launch<'dgrad'>).add(plan, direction, { dy: t.dy, w: t.w, dx: t.dx, ...given });
        },
      });
      const expected = convDgrad(problem, w.data, dy.data);
      check('dx', dx, extras ? reluBackward(x.data, expected) : expected);
    } else {
      const { dw, db } = await runPlan({
        inputs: { dy, x },
        outputs: { dw: w.shape, db: [problem.K] },
        workspace: launch.workspaceBytes,
        build: (plan, t) => {
          const given = extras ? { db: t.db } : {};
          (launch as Launch<'wgrad'>).add(plan, direction, { dy: t.dy, x: t.x, dw: t.dw, ...given });
        },
      });
      check('dw', dw, convWgrad(problem, x.data, dy.data));
      // Real numbers of both signs can cancel here until little more than rounding is left.
      if (extras && kind === 'integers') expectExact('db', db, convBiasGradient(problem, dy.data));
    }
  }
}
