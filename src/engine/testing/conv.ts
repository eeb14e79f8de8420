/**
 * The test of every convolution algorithm: the list of awkward problems in all directions, each computed or refused as
 * conv-support.ts expects.
 */
import { describe, expect, test } from 'vitest';
import type { Shape } from '../../base/shape.ts';
import type { KernelSource } from '../../gpu/kernels.ts';
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
import { PlanBuilder } from '../plan.ts';
import { DEFAULT_WORKSPACE, launchesOf, whyNot } from '../ops/conv/run.ts';
import { reluBackward, reluForward } from '../ops/relu/reference.ts';
import { errorBound } from '../error-bound.ts';
import { expectExact, expectWithin } from './check.ts';
import { expectedReason } from './conv-support.ts';
import { integers, normals } from './fixtures.ts';
import { runPlan, testDevice } from './gpu.ts';
import { CONV_PROBLEMS, type Named } from './problems.ts';

/** Problems on which every launch runs, not only the predicted best. */
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
 * @param more problems for this algorithm alone, all of which run with every launch
 */
export function testConvAlgorithm(algorithm: ConvAlgorithm, more: readonly Named<ConvProblem>[] = []): void {
  const problems = [...CONV_PROBLEMS, ...more];
  describe.each(DIRECTIONS)(`${algorithm.name} %s`, (direction) => {
    test.each(problems.map((one, i) => ({ ...one, extras: i % 2 === 0 })))(
      '$name',
      async ({ name, problem, extras }) => {
        const setting = await settingOf(problem);
        const reason = whyNot(algorithm, setting, direction);
        const expected = expectedReason(algorithm.name, problem, direction);
        if (expected !== undefined) {
          expect(reason).toMatch(expected);
          // A clause for messages: "winograd_f2x3 is not available because it requires ...".
          expect(reason).toMatch(/^[a-z0-9].{10,}[^.]$/s);
          return;
        }
        expect(reason).toBeUndefined();
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

/** What a launch with or without extras is made of. */
export function kernelsOf(
  { device, problem, number }: ConvSetting,
  direction: Direction,
  launch: Launch<Direction>,
  extras: boolean,
): readonly KernelSource[] {
  const plan = new PlanBuilder(device);
  const tensor = (label: string, shape: Shape) => plan.tensor(label, shape, number);
  const [x, w, dy] = [
    tensor('x', inputShape(problem)),
    tensor('w', weightShape(problem)),
    tensor('dy', outputShape(problem)),
  ];
  const bias = plan.tensor('bias', [problem.K]);
  if (direction === 'fprop') {
    const given = extras ? { bias, relu: true } : {};
    (launch as Launch<'fprop'>).add(plan, direction, { x, w, y: dy, ...given });
  } else if (direction === 'dgrad') {
    const given = extras ? { mask: tensor('mask', x.shape) } : {};
    (launch as Launch<'dgrad'>).add(plan, direction, { dy, w, dx: x, ...given });
  } else {
    const dw = plan.tensor('dw', w.shape);
    (launch as Launch<'wgrad'>).add(plan, direction, { dy, x, dw, ...(extras ? { db: bias } : {}) });
  }
  return plan.kernels;
}

/** Inputs of one problem with float64 results, each computed on first use. */
class Reference {
  readonly x;
  readonly w;
  readonly dy;
  readonly bias;
  private readonly results = new Map<string, Float64Array>();

  constructor(
    private readonly problem: ConvProblem,
    readonly kind: 'integers' | 'normals',
  ) {
    const make = kind === 'integers' ? integers : normals;
    this.x = make(1, inputShape(problem));
    this.w = make(2, weightShape(problem));
    this.dy = make(3, outputShape(problem));
    this.bias = make(4, [problem.K]);
  }

  y(extras: boolean): Float64Array {
    return this.once(`y ${extras}`, () => {
      const y = convFprop(this.problem, this.x.data, this.w.data, extras ? this.bias.data : undefined);
      return extras ? reluForward(y) : y;
    });
  }

  dx(extras: boolean): Float64Array {
    return this.once(`dx ${extras}`, () => {
      const dx = convDgrad(this.problem, this.w.data, this.dy.data);
      return extras ? reluBackward(this.x.data, dx) : dx;
    });
  }

  dw(): Float64Array {
    return this.once('dw', () => convWgrad(this.problem, this.x.data, this.dy.data));
  }

  db(): Float64Array {
    return this.once('db', () => convBiasGradient(this.problem, this.dy.data));
  }

  /** The largest Σ|a||b| of a value of the direction's result, with its bias. */
  size(direction: Direction): number {
    const [x, w, dy, bias] = [this.x, this.w, this.dy, this.bias].map(({ data }) => data.map(Math.abs));
    const sizes = this.once(`size ${direction}`, () => {
      if (direction === 'fprop') return convFprop(this.problem, x, w, bias);
      return direction === 'dgrad' ? convDgrad(this.problem, w, dy) : convWgrad(this.problem, x, dy);
    });
    return sizes.reduce((largest, one) => Math.max(largest, one), 0);
  }

  private once(name: string, compute: () => Float64Array): Float64Array {
    const result = this.results.get(name) ?? compute();
    this.results.set(name, result);
    return result;
  }
}

const references = new WeakMap<ConvProblem, readonly Reference[]>();

/** Shared by all launches and algorithms tested with a problem. */
function referencesOf(problem: ConvProblem): readonly Reference[] {
  const known = references.get(problem);
  if (known) return known;
  const made = [new Reference(problem, 'integers'), new Reference(problem, 'normals')];
  references.set(problem, made);
  return made;
}

/**
 * Runs one launch on integers and on normally distributed values and compares all of its results with float64.
 * @param extras with bias and ReLU, or mask, or the bias's gradient
 * @throws Error naming the launch, the tensor and the worst place if a result is off, and whatever `runPlan` throws
 */
export async function expectLaunch(
  { exact, errorConstant }: Pick<ConvAlgorithm, 'exact' | 'errorConstant'>,
  problem: ConvProblem,
  direction: Direction,
  launch: Launch<Direction>,
  extras: boolean,
): Promise<void> {
  for (const reference of referencesOf(problem)) {
    const { kind, x, w, dy, bias } = reference;
    const check = (label: string, actual: Float32Array, expected: Float64Array) =>
      kind === 'integers' && exact
        ? expectExact(`${launch.name}: ${label}`, actual, expected)
        : expectWithin(
            `${launch.name}: ${label}`,
            actual,
            expected,
            errorBound(errorConstant, reference.size(direction)),
          );
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
      check('y', y, reference.y(extras));
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
      check('dx', dx, reference.dx(extras));
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
      check('dw', dw, reference.dw());
      // Normally distributed values can cancel here until little but rounding errors is left.
      if (extras && kind === 'integers') expectExact('db', db, reference.db());
    }
  }
}
