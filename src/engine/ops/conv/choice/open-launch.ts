/** One launch with its tensors, ready to run and be timed. */
import { owning } from '../../../../base/owned.ts';
import { placedIn, PlanBuilder, tensorBytes, type Plan, type Tensor } from '../../../plan.ts';
import type { ConvSetting, Launch } from '../algorithm.ts';
import type { Direction } from '../problem.ts';
import { convTensorShape, convTensorType, DIRECTION_TENSORS, planConv, type ConvTensorName } from '../run.ts';
import { fill, INPUT_SEEDS } from './inputs.ts';

export interface OpenLaunch {
  plan: Plan;
  destroy(): void;
}

/**
 * @param filled whether the inputs hold random numbers; otherwise zeros
 * @throws Failure `out-of-memory`
 */
export async function openLaunch(
  setting: ConvSetting,
  direction: Direction,
  launch: Launch<Direction>,
  filled = true,
): Promise<OpenLaunch> {
  const { device, problem } = setting;
  const { inputs, output } = DIRECTION_TENSORS[direction];
  return owning(async (owned) => {
    const { own } = owned;
    const tensors: Partial<Record<ConvTensorName, Tensor>> = {};
    for (const name of [...inputs, output]) {
      const shape = convTensorShape(problem, name);
      const type = convTensorType(setting, name);
      tensors[name] = placedIn(
        own(await device.ledger.storage(name, tensorBytes({ shape, type }))),
        shape,
        type,
      );
    }
    if (filled) {
      const filling = new PlanBuilder(device);
      for (const name of inputs) fill(filling, tensors[name] as Tensor, INPUT_SEEDS[name]);
      own(await filling.compile()).run();
    }
    const builder = new PlanBuilder(device);
    planConv(builder, direction, launch, tensors);
    return { plan: own(await builder.compile()), destroy: () => owned.destroy() };
  });
}
