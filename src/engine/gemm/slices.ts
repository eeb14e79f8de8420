import type { Device } from '../../gpu/device.ts';
import { elements } from '../../base/shape.ts';
import { SPREAD } from '../cost.ts';
import type { Task } from '../dispatch.ts';
import type { PlanBuilder, Tensor } from '../plan.ts';
import { sumThreads } from '../shared-sum.ts';
import { planTasks } from '../tasks.ts';

/**
 * The outputs of a weight gradient computed in slices: the real ones if there is one slice, else workspace for all
 * slices.
 */
export interface SlicedGradients {
  dw: Tensor;
  db: Tensor;
  /** Adds the slices up, in order. Call after the dispatch that fills them. */
  finish(): void;
}

/** Threads of a workgroup where none share a value. */
const PROCESSOR_THREADS = 64;
/** Up to this many slices, one thread reads all of them. */
const FEW = 8;
/** From this many slices, several threads share a value. */
const MANY = 64;
/** Values that keep a large GPU busy with one thread each. */
const BUSY_NUMBERS = 65536;

/** Threads that add up a value's slices together. */
function sharing(device: Device, slices: number, numbers: number): number {
  if (device.onProcessor || slices < FEW || numbers >= BUSY_NUMBERS) return 1;
  return slices < MANY ? 8 : sumThreads(device) / 8;
}

/** Bytes of workspace that `slices` need. */
export const sliceBytes = (slices: number, weights: number, biases: number): number =>
  slices === 1 ? 0 : slices * (weights + biases) * 4;

/**
 * @param db absent for a layer without bias
 * @param order if slices are [K, positions, channels] and dw is to be [K, channels, positions]
 */
export function slicedGradients(
  plan: PlanBuilder,
  label: string,
  slices: number,
  dw: Tensor,
  db: Tensor | undefined,
  order?: { channels: number; positions: number },
): SlicedGradients {
  // Kernels always bind a bias; without one they get memory that is never read.
  const nowhere = () => plan.tensor(`${label} no bias`, [1]);
  if (slices === 1) return { dw, db: db ?? nowhere(), finish: () => undefined };
  const weights = elements(dw.shape);
  const biases = db ? elements(db.shape) : 0;
  const weightSlices = plan.tensor(`${label} slices`, [slices, weights]);
  const biasSlices = plan.tensor(`${label} bias slices`, [slices, Math.max(1, biases)]);
  const { device } = plan;
  const threads = device.onProcessor ? PROCESSOR_THREADS : sumThreads(device);
  const together = sharing(device, slices, weights + biases);
  const { channels = 1, positions = 1 } = order ?? {};
  const task = (
    input: Tensor,
    output: Tensor,
    ...by: readonly [channels: number, positions: number]
  ): Task => {
    const count = elements(output.shape);
    const groups = Math.ceil((count * together) / threads);
    return { input, output, groups, numbers: [count, slices, together, ...by] };
  };
  return {
    dw: weightSlices,
    db: biasSlices,
    finish: () =>
      planTasks(
        plan,
        {
          label: `${label} sum`,
          kernel: { shader: 'gemm/sum_slices', constants: { THREADS: threads, SHARED: !device.onProcessor } },
          ...(together === 1 ? { spread: SPREAD.cached } : {}),
        },
        [task(weightSlices, dw, channels, positions), ...(db ? [task(biasSlices, db, 1, 1)] : [])],
      ),
  };
}
