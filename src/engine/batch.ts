/** How a plan gets its images: it gathers them from a data set on the GPU, by the sample indices in the step's slot. */
import type { Shape } from '../base/shape.ts';
import type { Device } from '../gpu/device.ts';
import { gatherBatch, type Views } from './gather/index.ts';
import type { Layout } from './dispatch.ts';
import type { NumberType, PlanBuilder, StepRing } from './plan.ts';
import type { DeviceSamples } from './samples.ts';
import { packStep, stepSlotBytes, type StepFields } from './step.ts';

export interface GatherOptions {
  /** Whether steps can augment the images. */
  augmented?: boolean;
  /** Of each image, in rows one after the other. Default 1. */
  views?: Views;
  /** How pixels are stored. Default f32. */
  number?: NumberType | undefined;
  /** Default NCHW. */
  layout?: Layout;
}

/**
 * Adds the gathering of a batch to `plan`.
 * @param shape [N, C, H, W]; N counts images, of which each has one row, or `views`
 */
export function gathered(
  plan: PlanBuilder,
  samples: DeviceSamples,
  shape: Shape,
  { augmented = false, views = 1, number, layout }: GatherOptions = {},
) {
  const [count, ...image] = shape;
  const x = plan.tensor('images', [views * count, ...image], number, layout);
  const labels = {
    labels: plan.tensor('labels', [count]),
    ...(augmented ? { partners: plan.tensor('labels of partners', [count]) } : {}),
  };
  const { images, imagesBeyond, imageLabels, channels } = samples;
  const tensors = { count: samples.count, images, imagesBeyond, imageLabels, channels, x, ...labels };
  gatherBatch(plan, tensors, views);
  return { x, labels };
}

/** A ring of `slots` steps of up to `batchSize` images. */
export async function createRing(device: Device, batchSize: number, slots: number): Promise<StepRing> {
  const slotBytes = stepSlotBytes(batchSize);
  return { buffer: await device.ledger.storage('steps', slots * slotBytes), slotBytes };
}

/** A ring of these steps, which stay. */
export async function writtenRing(
  device: Device,
  batchSize: number,
  steps: readonly StepFields[],
): Promise<StepRing> {
  const ring = await createRing(device, batchSize, steps.length);
  const slots = new DataView(new ArrayBuffer(steps.length * ring.slotBytes));
  steps.forEach((step, i) => packStep(slots, i * ring.slotBytes, step));
  device.queue.writeBuffer(ring.buffer.raw, 0, slots.buffer);
  return ring;
}
