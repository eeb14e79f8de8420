import { elements } from '../../base/shape.ts';
import type { KernelSource } from '../../gpu/kernels.ts';
import { ALIGNMENT } from '../memory.ts';
import { grid, type PlanBuilder, type Tensor } from '../plan.ts';
import type { OptimizerTensors } from './optimizer.ts';

/** Parameters that share a word of the decay table. Each starts at a multiple of it, so none shares one with another. */
const BLOCK = ALIGNMENT / 4;

/** What a slot of `OptimizerTensors.faults` holds before its step, and afterwards if all is finite. */
export const NOWHERE = 0xffffffff;
/** Words of such a slot. */
export const FAULT_WORDS = 2;

/**
 * Adds the dispatch of an optimiser: one thread per parameter.
 * @param kernel imports optimizers/update, and binds the states under their names
 */
export function planUpdate(
  plan: PlanBuilder,
  label: string,
  kernel: KernelSource,
  { parameters, gradients, states, decayed, factors, faults }: OptimizerTensors,
): void {
  const count = elements(parameters.shape);
  plan.dispatch({
    label,
    kernel: {
      ...kernel,
      constants: {
        ...kernel.constants,
        SELECTIVE: decayed !== undefined,
        BLOCK,
        WATCHED: faults !== undefined,
        FACTORED: factors !== undefined,
      },
    },
    tensors: {
      parameters,
      gradients,
      ...states,
      decayed: decayed ?? plan.constant('all decayed', Uint32Array.of(1)),
      factors: factors ?? plan.tensor('no factors', [1, 4]),
      faults: faults ?? plan.tensor('no faults', [FAULT_WORDS]),
    },
    uniforms: { count },
    workgroups: grid(count, 64),
  });
}

/**
 * A table for `OptimizerTensors.decayed` that leaves out parameters of one dimension: biases, and the scales and shifts
 * of batch norm.
 * @param layout of the flat buffers; offsets in numbers, multiples of BLOCK
 */
export function decayTable(
  plan: PlanBuilder,
  layout: {
    length: number;
    entries: readonly { shape: readonly number[]; offset: number; length: number }[];
  },
): Tensor {
  const table = new Uint32Array(Math.ceil(layout.length / BLOCK));
  for (const { shape, offset, length } of layout.entries) {
    if (shape.length > 1) table.fill(1, offset / BLOCK, Math.ceil((offset + length) / BLOCK));
  }
  return plan.constant('decayed', table);
}
