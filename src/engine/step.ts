/** Per-step data as kernels see it in group 1: the struct Step of shaders/common/step.wgsl. */
import { assert } from '../base/assert.ts';
import type { Augmentation } from '../base/augmentation.ts';
import { alignUp } from '../base/shape.ts';
import { ALIGNMENT } from './memory.ts';

/** An optimiser's uniforms. Each optimiser sets what it uses; the rest is 0. */
export interface OptimizerFields {
  lr: number;
  weightDecay: number;
  /** Beta 1 for Adam. */
  momentum: number;
  beta2: number;
  epsilon: number;
  /** 1 - beta1^t and 1 - beta2^t. */
  correction1: number;
  correction2: number;
  /** 1 - beta1 and 1 - beta2. */
  gain1: number;
  gain2: number;
}

/** Augmentation fields default to 0; mixup is given by its random weight, `mix`. */
export interface StepFields extends Partial<OptimizerFields>, Partial<Omit<Augmentation, 'mixup'>> {
  /** How far averages move towards the parameters. Absent without averages. */
  averaging?: number;
  /** The slot of the metrics ring that this step writes. */
  metricsSlot: number;
  /** The seed of the step's random numbers: dropped elements, crops, flips. Absent if nothing is random. */
  seed?: number;
  /** Alternating mirrors: the run's seed, and the place of the first sample in the stream of epochs. */
  runSeed?: number;
  position?: number;
  /** The epoch of the first sample, from 1 to MOST_EPOCH. Needed where parameters are trained in some epochs only. */
  epoch?: number;
  /** Mixup: the weight of an image itself, 0 to 1; its partner has the rest. Absent without mixup. */
  mix?: number;
  /** The samples of the batch, by index in the data set; at most the plan's batch size. */
  indices: Uint32Array;
}

/** Later epochs count as this one: kernels compare 16 bits. */
export const MOST_EPOCH = 0xffff;

const FLOATS = [
  'lr',
  'weightDecay',
  'momentum',
  'beta2',
  'epsilon',
  'correction1',
  'correction2',
  'gain1',
  'gain2',
  'averaging',
] as const satisfies readonly (keyof OptimizerFields | 'averaging')[];

const WHOLE = [
  'crop',
  'reflect',
  'flip',
  'alternate',
  'cutout',
  'runSeed',
  'position',
  'epoch',
] as const satisfies readonly (keyof StepFields)[];

/** metrics_slot, count, seed and mix follow the floats, then whole numbers, then the indices. */
export const STEP_HEADER_BYTES = 4 * (FLOATS.length + 4 + WHOLE.length);

/** Bytes of a slot for batches of up to `batchSize`: a multiple of 256, as offsets of bindings must be. */
export const stepSlotBytes = (batchSize: number): number =>
  alignUp(STEP_HEADER_BYTES + 4 * batchSize, ALIGNMENT);

/** Writes one slot at byte `offset` of `view`. */
export function packStep(view: DataView, offset: number, fields: StepFields): void {
  const { indices, metricsSlot, seed = 0, mix = 1 } = fields;
  const end = offset + STEP_HEADER_BYTES + 4 * indices.length;
  assert(end <= view.byteLength, `a step of ${indices.length} samples does not fit its slot`);
  FLOATS.forEach((name, i) => view.setFloat32(offset + 4 * i, fields[name] ?? 0, true));
  const rest = offset + 4 * FLOATS.length;
  view.setUint32(rest, metricsSlot, true);
  view.setUint32(rest + 4, indices.length, true);
  view.setUint32(rest + 8, seed, true);
  view.setFloat32(rest + 12, mix, true);
  WHOLE.forEach((name, i) => view.setUint32(rest + 16 + 4 * i, fields[name] ?? 0, true));
  indices.forEach((index, i) => view.setUint32(offset + STEP_HEADER_BYTES + 4 * i, index, true));
}
