import { Failure } from '../base/result.ts';
import type { StepMetrics } from '../engine/trainer.ts';

/** The index of the first step whose loss, a gradient or a parameter is infinite or NaN; -1 if there is none. */
export const firstBad = (metrics: readonly StepMetrics[]): number =>
  metrics.findIndex(({ loss, fault }) => fault !== undefined || !Number.isFinite(loss));

/** What is not finite in a step, and to which checkpoint the run was rolled back. */
export class Divergence extends Failure {
  constructor(
    readonly step: number,
    { loss, fault }: StepMetrics,
    lastCheckpoint: number,
  ) {
    const parts = [
      ...(Number.isFinite(loss) ? [] : [`the loss is ${loss}`]),
      ...(fault?.of === 'gradient' ? [`the gradient of "${fault.name}" is not finite`] : []),
      ...(fault?.of === 'parameter' ? [`the parameter "${fault.name}" is not finite`] : []),
    ];
    super(
      'diverged',
      `Training diverged at step ${step}: ${parts.join(' and ')}.`,
      `Its last checkpoint is of step ${lastCheckpoint}. Return to it, or restart, with a lower learning rate.`,
    );
  }
}
