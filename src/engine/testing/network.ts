/** Both passes of a whole network, as a plan of tests. */
import { elements } from '../../base/shape.ts';
import { buildBackward, buildForward, type Layer } from '../network.ts';
import { grid, type PlanBuilder, type Tensor } from '../plan.ts';
import { stepSlotBytes } from '../step.ts';
import type { FixtureValues } from './fixtures.ts';
import { runPlan } from './gpu.ts';

/** Adds a copy of a tensor that the plan allocates to one that is read back. */
export function planCopy(plan: PlanBuilder, x: Tensor, y: Tensor): void {
  const count = elements(x.shape);
  plan.dispatch({
    label: 'copy',
    kernel: { shader: 'concat/copy', constants: { RUN: count } },
    tensors: { x, y },
    uniforms: { count },
    workgroups: grid(count, 64),
  });
}

export interface NetworkValues {
  x: FixtureValues;
  /** The gradient of the output. */
  dy: FixtureValues;
  /** By their state_dict names. */
  parameters: Readonly<Record<string, FixtureValues>>;
  buffers?: Readonly<Record<string, FixtureValues>>;
}

/**
 * Runs the forward and the backward pass of a training step.
 * @returns the output as "y" and the gradients of parameters as "d conv1.weight"; the labels of the dispatches
 */
export async function runNetwork(
  layers: readonly Layer[],
  { x, dy, parameters, buffers = {} }: NetworkValues,
): Promise<{ found: Record<string, Float32Array>; labels: readonly string[] }> {
  const gradients = Object.entries(parameters).map(([name, { shape }]) => [`d ${name}`, shape] as const);
  let labels: readonly string[] = [];
  // Dropout reads the step's seed.
  const slotBytes = stepSlotBytes(1);
  const found = await runPlan<string, string>({
    inputs: { x, dy, ...parameters },
    outputs: { y: dy.shape, ...buffers, ...Object.fromEntries(gradients) },
    step: { data: new Uint8Array(slotBytes), slotBytes },
    async build(plan, t) {
      const lookup = (name: string) => t[name];
      const forward = await buildForward(plan, layers, t.x, {
        parameters: lookup,
        buffers: lookup,
        training: true,
      });
      buildBackward(plan, forward, t.dy, (name) => t[`d ${name}`]);
      labels = plan.added.map(({ label }) => label);
      planCopy(plan, forward.logits, t.y);
    },
  });
  return { found, labels };
}
