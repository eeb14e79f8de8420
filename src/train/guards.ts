import { Failure } from '../base/result.ts';
import type { StepMetrics } from '../engine/trainer.ts';

/** The place of the first step whose loss, a gradient or a parameter is infinite or NaN; -1 if there is none. */
export const firstBad = (metrics: readonly StepMetrics[]): number =>
  metrics.findIndex(({ loss, fault }) => fault !== undefined || !Number.isFinite(loss));

/** What is wrong with a step, and that the run is back at the last copy of when it was not. */
export function divergence(step: number, { loss, fault }: StepMetrics, kept: number): Failure {
  const parts = [
    ...(Number.isFinite(loss) ? [] : [`the loss is ${loss}`]),
    ...(fault?.of === 'gradient' ? [`the gradient of "${fault.name}" is not finite`] : []),
    ...(fault?.of === 'parameter' ? [`the parameter "${fault.name}" is not finite any more`] : []),
  ];
  return new Failure(
    'diverged',
    `The training has diverged: at step ${step} ${parts.join(' and ')}.`,
    `The model is that of step ${kept} again, the last one kept before. Go on from there, or begin again, with a smaller learning rate.`,
  );
}
