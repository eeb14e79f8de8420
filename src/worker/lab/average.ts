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
import { spreadOf, timeWork } from '../../gpu/timing.ts';
import type { Average, ConvChoice } from '../api.ts';

/** Calls are submitted in parts of about this duration, so that nothing else has to wait. */
const PART_MS = 50;
/** If all calls would take longer than this, fewer are measured. */
const MAX_MS = 2000;
const MIN_CALLS = 5;

/**
 * @param calls the number of calls in a row
 * @param expectedMs the approximate time of one call
 * @throws Failure `out-of-memory`
 */
export async function averageTime(
  setting: ConvSetting,
  direction: Direction,
  choice: ConvChoice,
  calls: number,
  expectedMs: number,
): Promise<Average> {
  const { algorithm, launch: name } = choice;
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
    const affordable = Math.max(MIN_CALLS, Math.min(calls, Math.floor(MAX_MS / expectedMs)));
    const inPart = Math.max(1, Math.min(affordable, Math.floor(PART_MS / expectedMs)));
    const parts = Math.ceil(affordable / inPart);
    const { samples, repetitions } = await timeWork(device, (pass) => plan.encode(pass), {
      samples: parts,
      maxRepetitions: inPart,
      // Unreachable, so that each part has as many calls as allowed.
      minimumMs: Infinity,
    });
    const mean = samples.reduce((sum, ms) => sum + ms, 0) / samples.length;
    const { p10, p90 } = spreadOf(samples);
    return { ...choice, calls: samples.length * repetitions, mean, p10, p90 };
  } finally {
    for (const thing of owned) thing.destroy();
  }
}
