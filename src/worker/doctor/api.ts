/** What the Doctor and the worker say to each other: types only. */
import type { Result } from '../../base/result.ts';
import type { RunConfig } from '../api.ts';

/** good: as it should be. watch: worth a look. bad: something is wrong. skipped: could not be checked here. */
export type Light = 'good' | 'watch' | 'bad' | 'skipped';

export interface CheckEntry {
  name: string;
  /** For people: "Loss at the start". */
  title: string;
  /** What it means. */
  about: string;
}

export interface Finding extends CheckEntry {
  light: Light;
  /** In words and numbers. */
  found: string;
  /** What to do, where it is not good. */
  advice?: string;
  numbers: Record<string, number>;
  ms: number;
}

export interface Examination {
  findings: Finding[];
  /** Steps of the run whose weights were looked at; absent where there was none with these settings. */
  step?: number;
}

export type DoctorEvent =
  { type: 'doctor'; what: 'checking'; check: string } | { type: 'doctor'; what: 'found'; finding: Finding };

export interface DoctorApi {
  /** In the order in which they are made. */
  doctorChecks(): Promise<Result<CheckEntry[]>>;
  /**
   * Makes all checks on such a run: on networks of their own, from the same start, and on the weights of the open run if
   * it has these settings. A run that trains rests meanwhile, and goes on afterwards. Findings come as events too.
   */
  examine(config: RunConfig): Promise<Result<Examination>>;
}
