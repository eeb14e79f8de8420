/** How a plan gets its images: it gathers them from a data set on the GPU, by the sample indices in the step's slot. */
import type { Shape } from '../base/shape.ts';
import type { Device } from '../gpu/device.ts';
import { gatherBatch } from './gather/index.ts';
import type { Layout } from './dispatch.ts';
import type { NumberType, PlanBuilder, StepRing } from './plan.ts';
import type { DeviceSamples } from './samples.ts';
import { stepSlotBytes } from './step.ts';

export interface GatherOptions {
  /** Whether steps can augment the images. */
  augmented?: boolean;
  /** How pixels are stored. Default f32. */
  number?: NumberType | undefined;
  /** Default NCHW. */
  layout?: Layout;
}

/**
 * Adds the gathering of a batch to `plan`.
 * @param shape [N, C, H, W]
 */
export function gathered(
  plan: PlanBuilder,
  samples: DeviceSamples,
  shape: Shape,
  { augmented = false, number, layout }: GatherOptions = {},
) {
  const x = plan.tensor('images', shape, number, layout);
  const labels = {
    labels: plan.tensor('labels', [shape[0]]),
    ...(augmented ? { partners: plan.tensor('labels of partners', [shape[0]]) } : {}),
  };
  const { count, images, imagesBeyond, imageLabels, channels } = samples;
  gatherBatch(plan, { count, images, imagesBeyond, imageLabels, channels, x, ...labels });
  return { x, labels };
}

/** A ring of `slots` steps of up to `batchSize` images. */
export async function createRing(device: Device, batchSize: number, slots: number): Promise<StepRing> {
  const slotBytes = stepSlotBytes(batchSize);
  return { buffer: await device.ledger.storage('steps', slots * slotBytes), slotBytes };
}
