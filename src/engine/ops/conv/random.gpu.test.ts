/** Random convolutions, in all algorithms and directions that support them, against float64. WGRAD_SEED repeats them, WGRAD_TRIES says how many. */
import type { Pair } from '../../../base/shape.ts';
import { expect, test } from 'vitest';
import { Random } from '../../../base/random.ts';
import { count, SEED } from '../../../base/testing/tier.ts';
import { expectLaunch, settingOf } from '../../testing/conv.ts';
import { asIfOn, testDevice } from '../../testing/gpu.ts';
import { convAlgorithms } from './algorithms/index.ts';
import { LAYOUTS } from './layout.ts';
import { convProblem, DIRECTIONS, flops, problemKey, type ConvProblem } from './problem.ts';
import { launchesOf, whyNot } from './run.ts';

/** FLOP of a problem, at most: float64 in plain TypeScript takes a few milliseconds. */
const MOST_FLOP = 4e6;

const pick = <T>(random: Random, from: readonly T[]): T => from[random.below(from.length)];

function randomProblem(random: Random): ConvProblem {
  const upTo = (most: number) => 1 + random.below(most);
  /** Mostly 1. */
  const seldom = (most: number) => (random.below(4) === 0 ? upTo(most) : 1);
  const pair = (size: () => number): Pair =>
    random.below(2) === 0 ? [size(), size()] : (Array(2).fill(size()) as unknown as Pair);
  for (;;) {
    const groups = seldom(5);
    const channels = () => groups * upTo(pick(random, [3, 9, 40, 140]) / groups + 1);
    const [H, W] = pick(random, [
      [1, upTo(400)],
      [upTo(400), 1],
      [upTo(9), upTo(9)],
      [upTo(40), upTo(40)],
    ]);
    const [R, S] = pick(random, [
      [1, 1],
      [3, 3],
      [3, 3],
      [5, 5],
      [upTo(4), upTo(4)],
      [upTo(12), upTo(12)],
    ]);
    const side = () => random.below(pick(random, [1, 2, Math.max(R, S) + 1, 2 * Math.max(R, S)]));
    const padding = pick(random, [
      'same' as const,
      [side(), side()] as const,
      [R >> 1, S >> 1] as const,
      { top: side(), bottom: side(), left: side(), right: side() },
    ]);
    const [stride, dilation] = [pair(() => seldom(5)), pair(() => seldom(4))];
    const layout = pick(random, LAYOUTS);
    try {
      const sizes = {
        N: upTo(5),
        C: channels(),
        H,
        W,
        K: channels(),
        R,
        S,
        stride,
        padding,
        dilation,
        groups,
      };
      const problem = convProblem({ ...sizes, layout });
      if (flops(problem) <= MOST_FLOP) return problem;
    } catch {
      // The filter does not fit into the image.
    }
  }
}

/** SwiftShader compiles a kernel for half a second: it gets few problems, and a quarter of what supports them. */
const tries = (software: boolean) =>
  Number(process.env['WGRAD_TRIES'] ?? (software ? count(1, 1, 60) : count(8, 8, 300)));

test('random convolutions', async () => {
  const { software, cpu } = (await testDevice()).adapter;
  const random = new Random(SEED, 'random convolutions');
  let launches = 0;
  const judge = async (problem: ConvProblem) => {
    const setting = await settingOf(problem);
    const supported = convAlgorithms.all().flatMap((algorithm) => {
      const directions = DIRECTIONS.filter((way) => whyNot(algorithm, setting, way) === undefined);
      return directions.map((direction) => ({ algorithm, direction }));
    });
    const some = supported.filter(() => !software || random.below(4) === 0);
    for (const { algorithm, direction } of some.length > 0 ? some : [pick(random, supported)]) {
      const launch = pick(random, launchesOf(algorithm, setting, direction));
      await expectLaunch(algorithm, problem, direction, launch, random.below(2) === 0).catch(
        (error: Error) => {
          throw new Error(
            `seed ${SEED}: ${algorithm.name} ${direction}, ${problemKey(problem)}: ${error.message}`,
          );
        },
      );
      launches++;
    }
  };
  for (let i = 0; i < tries(software); i++) {
    const problem = randomProblem(random);
    if (cpu && random.below(2) === 0)
      await asIfOn(pick(random, ['SwiftShader', 'a GPU'] as const), () => judge(problem));
    else await judge(problem);
  }
  expect(launches).toBeGreaterThan(0);
  console.log(`random convolutions, seed ${SEED}: ${tries(software)} problems, ${launches} launches`);
});
