/** Measuring a training step: types only. */
import type { Result } from '../../base/result.ts';
import type { ProfileProgress, StepProfile as MeasuredStep } from '../../engine/profile/step.ts';
import type { TimelineSpan } from '../../engine/profile/timeline.ts';
import type { RunConfig } from '../train/api.ts';

declare module '../api.ts' {
  interface Parts {
    profile: { calls: ProfileApi; events: ProfileEvent };
  }
}

export type { KernelTime, LayerTime, SampledSpread } from '../../engine/profile/kernels.ts';
export type { CallTime } from '../../gpu/calls.ts';
export type { TimelineSpan };

export type StepPass = MeasuredStep['kernels'][number]['pass'];

export interface ProfileReport extends MeasuredStep {
  /** A single step as a timeline. */
  spans: TimelineSpan[];
  /** The same in Chrome's trace format, for ui.perfetto.dev. */
  trace: string;
}

export interface ProfileEvent extends ProfileProgress {
  type: 'profile';
}

export interface ProfileApi {
  /**
   * Measures a training step with these settings, on random images: the data set need not be downloaded. A run that
   * trains is paused, then resumes. Progress is reported by events. Refused during another measurement.
   */
  profileStep(config: RunConfig): Promise<Result<ProfileReport>>;
}
