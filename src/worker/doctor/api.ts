/** Examining a run: types only. */
import type { Check, CheckResult } from '../../train/doctor/check.ts';
import type { Recommendation } from '../../train/doctor/recommend.ts';
import type { RunConfig } from '../train/api.ts';

export type { FindingChart as CheckChart, CheckFix as SettingsFix, Light } from '../../train/doctor/check.ts';

declare module '../api.ts' {
  interface Parts {
    doctor: { calls: DoctorApi; events: DoctorEvent };
  }
}

export type CheckEntry = Pick<Check, 'name' | 'title' | 'about'>;

export type Finding = Omit<CheckResult, 'check'> & CheckEntry;

export interface Examination {
  findings: Finding[];
  /** What to do first; absent if there is nothing to do. */
  recommendation?: Recommendation & {
    /** Checks whose own advice waits until that is done. */
    instead: string[];
  };
  /** Steps of the run whose weights were checked; absent if there was no run with these settings. */
  step?: number;
}

export type DoctorEvent =
  | { type: 'doctor'; what: 'checking'; check: string }
  | { type: 'doctor'; what: 'found'; finding: Finding };

export interface DoctorApi {
  /** In order. */
  doctorChecks(): CheckEntry[];
  /**
   * Runs all checks on these settings: on separate networks with the same initial weights, and on the open run's
   * weights if it has these settings. A run that trains is paused, then resumes. Findings are also reported by events.
   */
  examine(config: RunConfig): Examination;
}
