import type { Device } from '../../gpu/device.ts';
import type { Constants } from '../../gpu/link.ts';
import type { PlanBuilder, Tensor } from '../plan.ts';
import { SPREAD } from '../cost.ts';
import { ELEMENTS, grid } from '../plan.ts';
import { elements } from '../../base/shape.ts';
import { sumThreads } from '../shared-sum.ts';

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

/** Up to this many slices, one thread reads all of them. */
const FEW = 8;
/** From this many slices, several threads share a value. */
const MANY = 64;
/** Values that keep a large GPU busy with one thread each. */
const BUSY_NUMBERS = 65536;

/** The kernel that adds slices up, its constants, and its values per workgroup. */
function secondPass(
  device: Device,
  slices: number,
  numbers: number,
): { shader: string; constants: Constants; width: number } {
  // A barrier costs SwiftShader 50 microseconds per workgroup.
  if (device.onProcessor || slices < FEW || numbers >= BUSY_NUMBERS) {
    return { shader: 'gemm/sum_slices', constants: { FEW: slices < FEW }, width: ELEMENTS };
  }
  const [WIDTH, PARTS] = slices < MANY ? [16, 8] : [8, sumThreads(device) / 8];
  return { shader: 'gemm/sum_many_slices', constants: { WIDTH, PARTS }, width: WIDTH };
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
  const { shader, constants, width } = secondPass(plan.device, slices, weights + biases);
  return {
    dw: weightSlices,
    db: biasSlices,
    finish: () =>
      plan.dispatch({
        label: `${label} sum`,
        kernel: {
          shader,
          constants: {
            ...constants,
            SLICES: slices,
            WEIGHTS: weights,
            BIASES: biases,
            CHANNELS: order?.channels ?? 1,
            POSITIONS: order?.positions ?? 1,
          },
        },
        tensors: { weight_slices: weightSlices, bias_slices: biasSlices, dw, db: db ?? nowhere() },
        uniforms: { count: weights + biases },
        workgroups: grid(weights + biases, width),
        ...(shader === 'gemm/sum_slices' ? { spread: SPREAD.cached } : {}),
      }),
  };
}
