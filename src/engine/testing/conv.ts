/**
 * The test of every convolution algorithm: the list of awkward problems in all directions, each computed or refused as
 * conv-support.ts expects.
 */
import { describe, expect, test } from 'vitest';
import type { Shape } from '../../base/shape.ts';
import type { Device } from '../../gpu/device.ts';
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
import { inLayout } from '../ops/conv/layout.ts';
import { mostTerms, sumOf } from '../ops/conv/terms.ts';
import { reluBackward, reluForward } from '../ops/relu/reference.ts';
import { errorBound } from '../error-bound.ts';
import { expectExact, expectWithin } from './check.ts';
import { expectedReason } from './conv-support.ts';
import { integers, normals } from './fixtures.ts';
import { asIfOn, runPlan, testDevice } from './gpu.ts';
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
/** Problems that come first, so that SwiftShader, which runs all code once, runs it on them: every algorithm supports some. */
const FIRST = [
  'everything unequal',
  'odd everything',
  'groups',
  '5x5 filter, groups, padding larger than the filter',
  '1x1 filter',
  'padding larger than the filter',
];

/** Problems for which algorithms without kernels for NHWC run between transposes. */
const TRANSPOSED = ['odd everything', 'groups', 'tiles that fit'];

/** The same problems in NHWC. */
const inNhwc = (problems: readonly Named<ConvProblem>[]): Named<ConvProblem>[] =>
  problems.map(({ name, problem }) => ({ name, problem: inLayout(problem, 'nhwc') }));

/**
 * Tests an algorithm, in both layouts. Every other problem comes with all extras: a bias and ReLU in fprop, a mask in
 * dgrad, the bias's gradient in wgrad.
 * @param more problems for this algorithm alone, all of which run with every launch
 */
export function testConvAlgorithm(algorithm: ConvAlgorithm, more: readonly Named<ConvProblem>[] = []): void {
  const first = CONV_PROBLEMS.filter(({ name }) => FIRST.includes(name));
  const nchw = [...first, ...more, ...CONV_PROBLEMS.filter((one) => !first.includes(one))];
  const both = algorithm.layouts.includes('nhwc');
  const nhwc = inNhwc(both ? nchw : nchw.filter(({ name }) => TRANSPOSED.includes(name)));
  const runs = DIRECTIONS.flatMap((direction) => [
    { direction, layout: 'NCHW', problems: nchw },
    { direction, layout: 'NHWC', problems: nhwc },
  ]);
  describe.each(runs)(`${algorithm.name} $direction $layout`, ({ direction, problems }) => {
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
        const own = more.some((one) => one.name === name);
        await judgeLaunches(algorithm, setting, direction, {
          extras,
          every: own || ALL_LAUNCHES.includes(name),
          onSwiftShader: false,
        });
      },
    );
  });
}

/** Dispatches to the last constant, algorithms by direction, and the code of kernels. */
export type Ran = Set<string>;

/** What ran on the device of this file. */
const ranOn = new WeakMap<Device, Ran>();

/** The code of kernels: their files, and these with each value of each switch. Numbers are sizes. */
export const codeOf = (kernels: readonly KernelSource[]): string[] =>
  kernels.flatMap(({ shader, constants = {} }) => [
    shader,
    ...Object.entries(constants)
      .filter(([, value]) => typeof value !== 'number')
      .map(([name, value]) => `${shader} where ${name} is ${value}`),
  ]);

export interface Judging {
  /** With bias and ReLU, or mask, or the bias's gradient. */
  extras: boolean;
  /** Every launch, not only the predicted best. */
  every: boolean;
  /** Whether SwiftShader runs the predicted best in any case. */
  onSwiftShader: boolean;
  /** What need not run again. Default: what ran on this device. */
  ran?: Ran;
}

/**
 * Runs launches by `expectLaunch`. A GPU runs them all. So does the CPU engine, and also those that SwiftShader would
 * choose. SwiftShader itself, which compiles a kernel for every problem and takes ten times as long as the CPU engine,
 * shows that another implementation of WebGPU agrees: it runs a launch of each algorithm in each direction, and those with
 * code that did not run yet in any.
 */
export async function judgeLaunches(
  algorithm: ConvAlgorithm,
  setting: ConvSetting,
  direction: Direction,
  { extras, every, onSwiftShader, ran }: Judging,
): Promise<void> {
  const { cpu, software } = setting.device.adapter;
  const judge = async () => {
    const launches = launchesOf(algorithm, setting, direction);
    for (const [i, launch] of (every ? launches : launches.slice(0, 1)).entries()) {
      expect(launch.workspaceBytes).toBeLessThanOrEqual(setting.workspace);
      const always = !software || (onSwiftShader && i === 0);
      await judgeLaunch(algorithm, setting, direction, launch, { extras, always, ...(ran ? { ran } : {}) });
    }
  };
  await judge();
  if (cpu) await asIfOn('SwiftShader', judge);
}

/** Runs a launch that did not run yet. @param always also if all of its code did, for other sizes */
export async function judgeLaunch(
  algorithm: ConvAlgorithm,
  setting: ConvSetting,
  direction: Direction,
  launch: Launch<Direction>,
  {
    extras,
    always,
    ran = ranOn.get(setting.device) ?? new Set(),
  }: Pick<Judging, 'extras' | 'ran'> & { always: boolean },
): Promise<void> {
  const { device, problem } = setting;
  ranOn.set(device, ran);
  const kernels = kernelsOf(setting, direction, launch, extras);
  const whole = JSON.stringify([problem, direction, kernels]);
  const code = [`${algorithm.name} ${direction}`, ...codeOf(kernels)];
  const wanted = always || code.some((one) => !ran.has(one));
  if (!wanted || ran.has(whole)) return;
  for (const one of [whole, ...code]) ran.add(one);
  await expectLaunch(algorithm, problem, direction, launch, extras);
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
    return sizes.reduce((most, one) => Math.max(most, one), 0);
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
  algorithm: Pick<ConvAlgorithm, 'exact' | 'sum'>,
  problem: ConvProblem,
  direction: Direction,
  launch: Launch<Direction>,
  extras: boolean,
): Promise<void> {
  const sum = sumOf(algorithm, problem, direction);
  // The bias is a term, too. Those that meet only padding count as if they were as large as the others.
  const withBias = { ...sum, terms: sum.terms + 1 };
  const padding = sum.terms / mostTerms(problem, direction);
  for (const reference of referencesOf(problem)) {
    const { kind, x, w, dy, bias } = reference;
    const check = (label: string, actual: Float32Array, expected: Float64Array) =>
      kind === 'integers' && algorithm.exact
        ? expectExact(`${launch.name}: ${label}`, actual, expected)
        : expectWithin(
            `${launch.name}: ${label}`,
            actual,
            expected,
            errorBound(withBias, padding * reference.size(direction), expected.length),
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
