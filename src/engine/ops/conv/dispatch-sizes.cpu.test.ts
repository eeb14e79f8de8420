/** Whatever the sizes of a convolution, every dispatch has as many workgroups as WebGPU allows, and every tensor fits. */
import { expect, test } from 'vitest';
import { Random } from '../../../base/random.ts';
import { count, SEED } from '../../../base/testing/tier.ts';
import { elements } from '../../../base/shape.ts';
import { PlanBuilder } from '../../plan.ts';
import { settingOf } from '../../testing/conv.ts';
import { asIfOn } from '../../testing/gpu.ts';
import { convAlgorithms } from './algorithms/index.ts';
import { convProblem, DIRECTIONS, problemKey, type ConvProblem } from './problem.ts';
import { convTensorShape, convTensorType, DIRECTION_TENSORS, launchesOf, planConv, whyNot } from './run.ts';

const MOST = 2 ** 30;

/** Sizes of all magnitudes, as large as tensors may be. */
function randomProblem(random: Random): ConvProblem {
  const size = (most: number) => Math.max(1, Math.round(2 ** (random.uniform() * Math.log2(most))));
  for (;;) {
    const groups = random.below(3) === 0 ? size(2 ** 17) : 1;
    const [N, H, W] = [size(2 ** 22), size(2 ** 14), size(2 ** 14)];
    const [C, K] = [size(2 ** 17) * groups, size(2 ** 17) * groups];
    const [R, S] = [Math.min(H, 1 + random.below(5)), Math.min(W, 1 + random.below(5))];
    const stride = [1 + random.below(3), 1 + random.below(3)] as const;
    const values = [N * C * H * W, (K * C * R * S) / groups, N * K * H * W];
    if (Math.max(...values) > MOST) continue;
    return convProblem({ N, C, H, W, K, R, S, groups, stride: random.below(2) === 0 ? [1, 1] : stride });
  }
}

test.each(['the processor', 'SwiftShader', 'a GPU'] as const)(
  'as on %s',

  async (device) => {
    const random = new Random(SEED, `sizes on ${device}`);
    // There may be millions of dispatches, and `expect` takes longer than to plan one.
    const wrong: string[] = [];
    let dispatches = 0;
    const judge = async (problem: ConvProblem) => {
      for (const workspace of [2 ** 26, 2 ** 31]) {
        const setting = { ...(await settingOf(problem)), workspace };
        for (const algorithm of convAlgorithms.all()) {
          for (const direction of DIRECTIONS) {
            if (whyNot(algorithm, setting, direction) !== undefined) continue;
            for (const launch of launchesOf(algorithm, setting, direction)) {
              const plan = new PlanBuilder(setting.device);
              const { inputs, output } = DIRECTION_TENSORS[direction];
              const tensors = [...inputs, output].map((name) => [
                name,
                plan.tensor(name, convTensorShape(problem, name), convTensorType(setting, name)),
              ]);
              planConv(plan, direction, launch, Object.fromEntries(tensors));
              for (const { workgroups, tensors: bound } of plan.added) {
                const refuse = (what: string) =>
                  wrong.push(
                    `${what}: ${algorithm.name} ${direction}, ${launch.name}, ${problemKey(problem)}`,
                  );
                if (!workgroups.every((many) => many >= 1 && many <= 65535))
                  refuse(`${workgroups} workgroups`);
                for (const tensor of Object.values(bound))
                  if (!(elements(tensor.shape) <= MOST)) refuse(`${tensor.label} of ${tensor.shape}`);
                dispatches++;
              }
            }
          }
        }
      }
    };
    for (let i = 0; i < count(3, 3, 60); i++) {
      const problem = randomProblem(random);
      await (device === 'the processor' ? judge(problem) : asIfOn(device, () => judge(problem)));
    }
    expect(wrong.slice(0, 10), `seed ${SEED}`).toEqual([]);
    expect(dispatches).toBeGreaterThan(50);
  },
);
