import { elements } from '../../base/shape.ts';
import type { KernelSource } from '../../gpu/kernels.ts';
import { ALIGNMENT } from '../memory.ts';
import { grid, type PlanBuilder, type Tensor, type Workgroups } from '../plan.ts';
import type { OptimizerTensors } from './optimizer.ts';

/** Values per element of the block table. Each parameter starts at a multiple of it, so no word covers two. */
export const BLOCK = ALIGNMENT / 4;
/** Words per block: flags, the factors of learning rate and weight decay, and the epochs in which it is trained. */
export const BLOCK_WORDS = 4;

/** The content of a slot of `OptimizerTensors.faults` before its step, and after it if all is finite. */
export const NOWHERE = 0xffffffff;
/** Words per slot. */
export const FAULT_WORDS = 2;

/**
 * Adds a dispatch of an optimiser.
 * @param kernel imports optimizers/update and binds the states under their names
 * @param workgroups default: one thread per parameter
 */
export function planUpdate(
  plan: PlanBuilder,
  label: string,
  kernel: KernelSource,
  { parameters, gradients, states, blocks, factors, faults }: OptimizerTensors,
  workgroups: Workgroups = grid(elements(parameters.shape), 64),
): void {
  const count = elements(parameters.shape);
  plan.dispatch({
    label,
    kernel: {
      ...kernel,
      constants: {
        ...kernel.constants,
        ...blockConstants(blocks),
        WATCHED: faults !== undefined,
        FACTORED: factors !== undefined,
      },
    },
    tensors: {
      parameters,
      gradients,
      ...states,
      blocks: blocks ?? noBlocks(plan),
      factors: factors ?? plan.tensor('no factors', [1, 4]),
      faults: faults ?? plan.tensor('no faults', [FAULT_WORDS]),
    },
    uniforms: { count },
    workgroups,
  });
}

/** Constants and table of a kernel that imports optimizers/blocks. */
export const blockConstants = (blocks: Tensor | undefined) => ({ SELECTIVE: blocks !== undefined, BLOCK });
export const noBlocks = (plan: PlanBuilder): Tensor =>
  plan.constant('no blocks', new Uint32Array(BLOCK_WORDS));
