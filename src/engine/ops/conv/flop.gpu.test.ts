/** Every launch reports the operations of its products, from which rooflines are drawn. */
import { afterAll, expect, test } from 'vitest';
import { PlanBuilder } from '../../plan.ts';
import { testDevice } from '../../testing/gpu.ts';
import type { ConvSetting } from './algorithm.ts';
import { convAlgorithms } from './algorithms/index.ts';
import { convProblem, DIRECTIONS, flops } from './problem.ts';
import {
  convTensorShape,
  DEFAULT_WORKSPACE,
  DIRECTION_TENSORS,
  launchesOf,
  planConv,
  whyNot,
} from './run.ts';

afterAll(async () => (await testDevice()).destroy());

const sizes = { N: 2, C: 4, H: 8, W: 8, K: 6 };
const problems = [
  convProblem({ ...sizes, R: 1, S: 1 }),
  convProblem({ ...sizes, R: 3, S: 3, padding: [1, 1] }),
  convProblem({ ...sizes, R: 5, S: 5, padding: [2, 2], groups: 2 }),
];

test.each(convAlgorithms.names())('%s', async (name) => {
  const device = await testDevice();
  const algorithm = convAlgorithms.get(name);
  let launches = 0;
  for (const problem of problems) {
    const setting: ConvSetting = { device, problem, workspace: DEFAULT_WORKSPACE, number: 'f32' };
    for (const direction of DIRECTIONS) {
      if (whyNot(algorithm, setting, direction) !== undefined) continue;
      for (const launch of launchesOf(algorithm, setting, direction)) {
        const plan = new PlanBuilder(device);
        let flop = 0;
        plan.dispatch = (spec) => (flop += spec.flop ?? 0);
        const { inputs, output } = DIRECTION_TENSORS[direction];
        const tensors = [...inputs, output].map((tensor) => [
          tensor,
          plan.tensor(tensor, convTensorShape(problem, tensor)),
        ]);
        planConv(plan, 'conv', launch, Object.fromEntries(tensors));
        launches++;
        const label = `${direction}, ${launch.name}`;
        // Algorithms with transforms need fewer products than the definition, or more; the others the same number.
        if (/winograd|fft/.test(name)) expect(flop, label).toBeGreaterThan(0);
        else expect(flop / flops(problem), label).toBeCloseTo(1, 9);
      }
    }
  }
  expect(launches).toBeGreaterThan(0);
});
