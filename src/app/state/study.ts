import type { FailureValue } from '../../base/result.ts';
import type {
  AdapterSummary,
  CheckEntry,
  Finding,
  ProfileEvent,
  RunConfig,
  StepProfile,
} from '../../worker/api.ts';
import type { Slice } from './slice.ts';

/** What was looked at, when, and on what. */
export interface Studied {
  config: RunConfig;
  /** For people: "LeNet-5". */
  model: string;
  date: Date;
  adapter: AdapterSummary | undefined;
}

export interface ExaminationReport extends Studied {
  findings: readonly Finding[];
  /** All checks were made. */
  done: boolean;
  /** Steps of the run whose weights were looked at. */
  step?: number;
}

export interface StudySlice {
  /** What has the GPU to itself now: nothing trains meanwhile. */
  study: 'profile' | 'doctor' | undefined;
  /** A run rests for it, and goes on afterwards. */
  studyRests: boolean;
  /** How far the profile is that is being made. */
  profiling: Pick<ProfileEvent, 'phase' | 'share'> | undefined;
  /** The last profile of a step; `layers` has what each layer takes. */
  profile: (Studied & StepProfile) | undefined;
  profileError: FailureValue | undefined;
  /** Empty until the worker has told. */
  checks: CheckEntry[];
  /** The check that is being made. */
  checking: string | undefined;
  examination: ExaminationReport | undefined;
  examinationError: FailureValue | undefined;
  setStudy(
    study: Partial<
      Pick<
        StudySlice,
        | 'study'
        | 'studyRests'
        | 'profiling'
        | 'profile'
        | 'profileError'
        | 'checks'
        | 'checking'
        | 'examination'
        | 'examinationError'
      >
    >,
  ): void;
  setProfiling(profiling: StudySlice['profiling']): void;
  setChecking(check: string): void;
  addFinding(finding: Finding): void;
}

export const studySlice: Slice<StudySlice> = (set) => ({
  study: undefined,
  studyRests: false,
  profiling: undefined,
  profile: undefined,
  profileError: undefined,
  checks: [],
  checking: undefined,
  examination: undefined,
  examinationError: undefined,
  setStudy: (study) => set(study),
  setProfiling: (profiling) => set(({ study }) => (study === 'profile' ? { profiling } : {})),
  setChecking: (checking) => set(({ study }) => (study === 'doctor' ? { checking } : {})),
  addFinding: (finding) =>
    set(({ examination }) =>
      examination ? { examination: { ...examination, findings: [...examination.findings, finding] } } : {},
    ),
});
