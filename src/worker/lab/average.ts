/** The mean time of many calls in a row, as studies report it. */
import { assert } from '../../base/assert.ts';
import type { ConvSetting } from '../../engine/ops/conv/algorithm.ts';
import { convAlgorithms } from '../../engine/ops/conv/algorithms/index.ts';
import { fill, INPUT_SEEDS } from '../../engine/ops/conv/choice/inputs.ts';
import type { Direction } from '../../engine/ops/conv/problem.ts';
import {
  convTensorShape,
  convTensorType,
  DIRECTION_TENSORS,
  launchesOf,
  planConv,
  type ConvTensorName,
} from '../../engine/ops/conv/run.ts';
import { placedIn, PlanBuilder, tensorBytes, type Tensor } from '../../engine/plan.ts';
import { timeWork } from '../../gpu/timing.ts';
import type { ConvChoice } from '../api.ts';

/** Means that are taken of so many calls each: enough to see how they spread. */
const SAMPLES = 3;

/** Milliseconds a call, each number a mean over `calls` calls in a row. @throws Failure `out-of-memory` */
export async function averageTime(
  setting: ConvSetting,
  direction: Direction,
  { algorithm, launch: name }: ConvChoice,
  calls: number,
): Promise<number[]> {
  const { device, problem } = setting;
  const launch = launchesOf(convAlgorithms.get(algorithm), setting, direction).find(
    (one) => one.name === name,
  );
  assert(launch !== undefined, `${algorithm} has no launch "${name}"`);
  const { inputs, output } = DIRECTION_TENSORS[direction];
  const owned: { destroy(): void }[] = [];
  const own = <T extends { destroy(): void }>(thing: T): T => (owned.push(thing), thing);
  try {
    const tensors: Partial<Record<ConvTensorName, Tensor>> = {};
    for (const tensor of [...inputs, output]) {
      const shape = convTensorShape(problem, tensor);
      const type = convTensorType(setting, tensor);
      const bytes = tensorBytes({ shape, type });
      tensors[tensor] = placedIn(own(await device.ledger.storage(tensor, bytes)), shape, type);
    }
    const filling = new PlanBuilder(device);
    for (const tensor of inputs) fill(filling, tensors[tensor] as Tensor, INPUT_SEEDS[tensor]);
    own(await filling.compile()).run();
    const builder = new PlanBuilder(device);
    planConv(builder, direction, launch, tensors);
    const plan = own(await builder.compile());
    const { samples } = await timeWork(device, (pass) => plan.encode(pass), {
      ...{ samples: SAMPLES, maxRepetitions: calls },
      // Never long enough, so that it is always that many calls.
      minimumMs: Infinity,
    });
    return samples;
  } finally {
    for (const thing of owned) thing.destroy();
  }
}
