import type { LadderStep } from '../../../worker/api.ts';
import type { Measurement } from './batch.ts';
import { isTimed, ranking } from './verdict.ts';

/** A step of the ladder, with its time. */
export interface Rung {
  title: string;
  sentence: string;
  algorithm: string;
  time: { median: number; p10: number; p90: number } | undefined;
  /** The fastest of several variants. */
  launch: string;
  /** Why there is no time. */
  missing: string;
}

/** The loops on the CPU, then the steps. */
export function rungsOf(
  steps: readonly LadderStep[],
  algorithm: string,
  measurement: Measurement | undefined,
): Rung[] {
  const state = measurement?.state ?? 'waiting';
  const missing = { waiting: 'not measured', measuring: 'measuring…', found: '', refused: '' }[state];
  const loops: Rung = {
    title: 'Naive loops in JavaScript',
    sentence: 'Seven nested loops on one CPU core, straight from the definition. The baseline for the GPU.',
    algorithm: 'loops',
    time: measurement?.loops,
    launch: '',
    missing: missing || 'not measured',
  };
  const rungs = steps.map(({ step, why, launches }): Rung => {
    const tried = measurement?.tried.filter((one) => launches.includes(one.launch)) ?? [];
    const [best] = ranking({ tried });
    const [bad] = tried.filter((one) => !isTimed(one));
    return {
      title: step.charAt(0).toUpperCase() + step.slice(1),
      sentence: why,
      algorithm,
      time: best,
      launch: best && launches.length > 1 ? best.launch : '',
      missing:
        (bad && 'reason' in bad
          ? `${bad.outcome === 'wrong' ? 'incorrect results' : 'failed'}: ${bad.reason}`
          : measurement?.error?.message) ??
        (missing || 'not tried'),
    };
  });
  return [loops, ...rungs];
}
