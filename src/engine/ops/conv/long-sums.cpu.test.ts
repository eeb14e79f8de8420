/**
 * Sums of 65,537 terms of one sign, where roundings do not cancel: adding up term after term would be off by hundreds of
 * roundoffs. Every algorithm adds up parts first, in every direction.
 */
import { describe, expect, test } from 'vitest';
import { count } from '../../../base/testing/tier.ts';
import { errorConstant, ROUNDOFF } from '../../error-bound.ts';
import { compare } from '../../testing/check.ts';
import { codeOf, kernelsOf, settingOf } from '../../testing/conv.ts';
import { normals, type FixtureValues } from '../../testing/fixtures.ts';
import { asIfOn, runPlan } from '../../testing/gpu.ts';
import { convAlgorithms } from './algorithms/index.ts';
import { convProblem, DIRECTIONS, type ProblemSizes, type Direction } from './problem.ts';
import { convDgrad, convFprop, convWgrad } from './reference.ts';
import {
  convTensorShape,
  DIRECTION_TENSORS,
  launchesOf,
  planConv,
  whyNot,
  type ConvTensorName,
} from './run.ts';
import { sumOf } from './terms.ts';

/** Of a result, in roundoffs. Two levels of parts of 256 terms stay within a third of it. */
const MOST = 36;

const TERMS = 65537;
/** `npm test` runs only the launches that have no matrix product. */
const ALGORITHMS = count(0, 0, 1) === 1 ? convAlgorithms.names() : ['direct'];
const DEVICES =
  count(0, 0, 1) === 1 ? (['the processor', 'SwiftShader', 'a GPU'] as const) : (['a GPU'] as const);

const PADDED = { padding: [1, 1] } as const;

/** For filters of 1x1, of 3x3 and of 5x5. */
const PROBLEMS: Readonly<Record<Direction, readonly ProblemSizes[]>> = {
  fprop: [
    { N: 1, C: TERMS, H: 1, W: 3, K: 2, R: 1, S: 1 },
    { N: 1, C: TERMS >> 3, H: 4, W: 4, K: 2, R: 3, S: 3, ...PADDED },
    { N: 1, C: TERMS >> 4, H: 4, W: 4, K: 2, R: 5, S: 5, padding: [2, 2] },
  ],
  dgrad: [
    { N: 1, C: 2, H: 1, W: 3, K: TERMS, R: 1, S: 1 },
    { N: 1, C: 2, H: 4, W: 4, K: TERMS >> 3, R: 3, S: 3, ...PADDED },
    { N: 1, C: 2, H: 4, W: 4, K: TERMS >> 4, R: 5, S: 5, padding: [2, 2] },
  ],
  wgrad: [
    { N: TERMS, C: 2, H: 1, W: 1, K: 2, R: 1, S: 1 },
    { N: 7, C: 1, H: 97, W: 97, K: 1, R: 3, S: 3, ...PADDED },
    { N: 1, C: 1, H: 256, W: 257, K: 1, R: 5, S: 5, padding: [2, 2] },
    { N: 1, C: 1, H: 1, W: TERMS, K: 2, R: 1, S: 1 },
  ],
};

const positive = (
  seed: number,
  shape: readonly number[],
): FixtureValues & { data: Float32Array<ArrayBuffer> } => {
  const { data } = normals(seed, shape);
  return { shape, data: data.map((value) => Math.abs(value)) };
};

describe.each(DEVICES)('as on %s', (device) => {
  test.each(DIRECTIONS)('%s', async (direction) => {
    const ran = new Set<string>();
    const wrong: string[] = [];
    const judge = async () => {
      for (const problem of PROBLEMS[direction].map(convProblem)) {
        const setting = await settingOf(problem);
        const given: Partial<Record<ConvTensorName, ReturnType<typeof positive>>> = {};
        const { inputs, output } = DIRECTION_TENSORS[direction];
        inputs.forEach((name, i) => (given[name] = positive(i + 1, convTensorShape(problem, name))));
        const [x, w, dy] = (['x', 'w', 'dy'] as const).map((name) => given[name]?.data ?? new Float32Array());
        const expected =
          direction === 'fprop'
            ? convFprop(problem, x, w)
            : direction === 'dgrad'
              ? convDgrad(problem, w, dy)
              : convWgrad(problem, x, dy);
        for (const algorithm of ALGORITHMS.map((name) => convAlgorithms.get(name))) {
          if (whyNot(algorithm, setting, direction) !== undefined) continue;
          for (const launch of launchesOf(algorithm, setting, direction)) {
            const kernels = kernelsOf(setting, direction, launch, false);
            const code = JSON.stringify([kernels.map(({ shader }) => shader), codeOf(kernels)]);
            if (ran.has(code)) continue;
            ran.add(code);
            const found = await runPlan({
              inputs: given as Record<string, FixtureValues>,
              outputs: { [output]: convTensorShape(problem, output) },
              build: (plan, tensors) => planConv(plan, direction, launch, tensors),
            });
            const { error } = compare(found[output], expected);
            const allowed =
              (MOST + errorConstant(sumOf(algorithm, problem, direction), expected.length)) * ROUNDOFF;
            if (!(error <= allowed))
              wrong.push(`${algorithm.name}, ${launch.name}: ${(error / ROUNDOFF).toFixed(0)} roundoffs`);
          }
        }
      }
    };
    await (device === 'the processor' ? judge() : asIfOn(device, judge));
    expect(ran.size).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
  });
});
