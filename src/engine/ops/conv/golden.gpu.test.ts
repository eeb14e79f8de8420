/** Every algorithm against PyTorch, in all directions that it supports. */
import { describe, expect, test } from 'vitest';
import { errorBound } from '../../error-bound.ts';
import { expectWithin } from '../../testing/check.ts';
import { CONV_CASES, readConvCase, type ConvCase } from '../../testing/conv-cases.ts';
import { settingOf } from '../../testing/conv.ts';
import { runPlan, testDevice } from '../../testing/gpu.ts';
import { convAlgorithms } from './algorithms/index.ts';
import { DIRECTIONS, type Direction } from './problem.ts';
import { convDgrad, convFprop, convWgrad } from './reference.ts';
import { DIRECTION_TENSORS, launchesOf, planConv, whyNot } from './run.ts';
import { mostTerms, sumOf } from './terms.ts';

/** The largest sum of the absolute values of terms, which bounds rounding errors. */
function largestSize({ problem, tensors }: ConvCase, direction: Direction): number {
  const [x, w, dy] = [tensors.x, tensors.w, tensors.dy].map(({ data }) => data.map(Math.abs));
  const sizes = {
    fprop: () => convFprop(problem, x, w),
    dgrad: () => convDgrad(problem, w, dy),
    wgrad: () => convWgrad(problem, x, dy),
  };
  return sizes[direction]().reduce((largest, size) => Math.max(largest, size), 0);
}

/** SwiftShader, which compiles kernels for every case, takes some of them, and an algorithm once in a direction. */
const { software } = (await testDevice()).adapter;
const cases = CONV_CASES.filter((_, i) => !software || i % 3 === 0);
const ran = new Set<string>();

describe.each(cases)('$name', ({ path }) => {
  test.each(DIRECTIONS)('%s', async (direction) => {
    const convCase = readConvCase(path);
    const { problem, tensors } = convCase;
    const setting = await settingOf(problem);
    const able = convAlgorithms.all().filter((one) => whyNot(one, setting, direction) === undefined);
    expect(able.length).toBeGreaterThan(0);
    const size = largestSize(convCase, direction);
    const { inputs, output } = DIRECTION_TENSORS[direction];
    for (const algorithm of able) {
      const run = `${algorithm.name} ${direction}`;
      if (software && ran.has(run)) continue;
      ran.add(run);
      const [launch] = launchesOf(algorithm, setting, direction);
      const results = await runPlan({
        inputs: Object.fromEntries(inputs.map((input) => [input, tensors[input]])),
        outputs: { [output]: tensors[output].shape },
        workspace: launch.workspaceBytes,
        build: (plan, placed) => planConv(plan, direction, launch, placed),
      });
      const label = `${algorithm.name} (${launch.name}): ${output}`;
      const { data } = tensors[output];
      const sum = sumOf(algorithm, problem, direction);
      const padded = (size * sum.terms) / mostTerms(problem, direction);
      expectWithin(label, results[output], data, errorBound(sum, padded, data.length));
    }
  });
});
