import type { Device } from '../../gpu/device.ts';
import type { PlanBuilder, Tensor } from '../plan.ts';
import { grid } from '../plan.ts';
import { elements } from '../../base/shape.ts';

/** The outputs of a sliced weight gradient: the real ones if there is one slice, else room for all slices. */
export interface SlicedGradients {
  dw: Tensor;
  db: Tensor;
  /** Adds the slices up, in order. Call after the dispatch that fills them. */
  finish(): void;
}

/** How gemm/sum_slices shares its work: on GPUs, the more slices there are the more threads to a number. */
function sharing(device: Device, slices: number) {
  if (device.adapter.software) return { WIDTH: 64, PARTS: 1, SHARED: false };
  if (slices < 8) return { WIDTH: 256, PARTS: 1, SHARED: false };
  return slices < 64 ? { WIDTH: 16, PARTS: 8, SHARED: true } : { WIDTH: 8, PARTS: 32, SHARED: true };
}

/** Bytes of workspace that `slices` need. */
export const sliceBytes = (slices: number, weights: number, biases: number): number =>
  slices === 1 ? 0 : slices * (weights + biases) * 4;

/** @param db absent for a layer without bias */
export function slicedGradients(
  plan: PlanBuilder,
  label: string,
  slices: number,
  dw: Tensor,
  db: Tensor | undefined,
): SlicedGradients {
  // Kernels bind a bias in any case; without one they get a place that nobody reads.
  const nowhere = () => plan.tensor(`${label} no bias`, [1]);
  if (slices === 1) return { dw, db: db ?? nowhere(), finish: () => undefined };
  const weights = elements(dw.shape);
  const biases = db ? elements(db.shape) : 0;
  const weightSlices = plan.tensor(`${label} slices`, [slices, weights]);
  const biasSlices = plan.tensor(`${label} bias slices`, [slices, Math.max(1, biases)]);
  const shares = sharing(plan.device, slices);
  return {
    dw: weightSlices,
    db: biasSlices,
    finish: () =>
      plan.dispatch({
        label: `${label} sum`,
        kernel: {
          shader: 'gemm/sum_slices',
          constants: { ...shares, SLICES: slices, WEIGHTS: weights, BIASES: biases },
        },
        tensors: { weight_slices: weightSlices, bias_slices: biasSlices, dw, db: db ?? nowhere() },
        workgroups: grid(weights + biases, shares.WIDTH),
      }),
  };
}
