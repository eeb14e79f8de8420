import type { RunSettings } from '../../run/settings/table.ts';
import type { Patient } from './patient.ts';

/** good: as it should be. watch: worth a look. bad: something is wrong. skipped: could not be checked here. */
export type Light = 'good' | 'watch' | 'bad' | 'skipped';

/** A number with its name. */
export interface Mark {
  name: string;
  value: number;
}

/** The numbers behind a finding, as a small picture. */
export type FindingChart =
  /** Values over steps, from the first on. They should end below the goal, if there is one. */
  | { kind: 'lines'; series: { name: string; values: readonly number[] }[]; goal?: Mark }
  /** Numbers of the same kind side by side. */
  | { kind: 'bars'; bars: readonly Mark[] }
  /** Marks on an axis from `ends[0]` to `ends[1]`, with the range that is healthy. */
  | {
      kind: 'gauge';
      marks: readonly Mark[];
      healthy: readonly [low: number, high: number];
      ends: readonly [low: number, high: number];
      log: boolean;
    };

/** Settings that would remove what was found. */
export interface CheckFix {
  /** The text of its button: "Set learning rate to 0.003". */
  title: string;
  settings: Partial<Pick<RunSettings, 'lr'>>;
  /** The check has trained with them. */
  tried?: boolean;
}

export interface Diagnosis {
  light: Light;
  /** The finding, with numbers. */
  found: string;
  /** What to do about it, where it is not good. */
  advice?: string;
  /** The same as a change of settings, where it is one. */
  fix?: CheckFix;
  chart?: FindingChart;
  /** The numbers behind it, by name. */
  numbers: Readonly<Record<string, number>>;
}

/** One check, many of them from the recipe at karpathy.github.io/2019/04/25/recipe: the default export of checks/<name>.ts. */
export interface Check {
  readonly name: string;
  /** For display: "Initial loss". */
  readonly title: string;
  /** Its position: from the data to the trained network. */
  readonly order: number;
  /** What it means, for beginners. */
  readonly about: string;
  /** @throws Failure `cancelled` if the checks were stopped */
  examine(patient: Patient): Promise<Diagnosis> | Diagnosis;
}

export interface CheckResult extends Diagnosis {
  check: string;
  title: string;
  about: string;
  /** How long the check took. */
  ms: number;
}
