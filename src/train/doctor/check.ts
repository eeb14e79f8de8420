import type { Patient } from './patient.ts';

/** good: as it should be. watch: worth a look. bad: something is wrong. skipped: could not be checked here. */
export type Light = 'good' | 'watch' | 'bad' | 'skipped';

export interface Diagnosis {
  light: Light;
  /** The finding, with numbers. */
  found: string;
  /** What to do about it, where it is not good. */
  advice?: string;
  /** The numbers behind it, by name. */
  numbers: Readonly<Record<string, number>>;
}

/** One check of the recipe at karpathy.github.io/2019/04/25/recipe: the default export of checks/<name>.ts. */
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

export interface Finding extends Diagnosis {
  check: string;
  title: string;
  about: string;
  /** How long the check took. */
  ms: number;
}
