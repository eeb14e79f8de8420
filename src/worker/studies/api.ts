/** Published comparisons, measured again: types only. */
import type { Result } from '../../base/result.ts';
import type { Line as StudyLine, StudyInfo, StudyResult, StudySource } from '../../studies/study.ts';

declare module '../api.ts' {
  interface Parts {
    studies: { calls: StudiesApi; events: StudyEvent };
  }
}

export type {
  BarFigure,
  BarLine,
  Cell as StudyCell,
  FigureColumn as StudyColumn,
  Figure as StudyFigure,
  Line as StudyLine,
  Published,
  PublishedBar,
  Ratio as StudyRatio,
  RowLine,
  StudyInfo,
  StudyResult,
  StudySource,
  TableFigure,
  Time as StudyTime,
} from '../../studies/study.ts';

export type StudyEvent = { type: 'study'; study: string } & (
  | { step: 'progress'; share: number; doing: string }
  | { step: 'line'; line: StudyLine }
);

export interface StudiesApi {
  studyList(): Promise<Result<StudyInfo[]>>;
  /** Results of other machines. */
  studyElsewhere(name: string): Promise<Result<StudyResult[]>>;
  /** The code that it compares; none for most. */
  studySources(name: string): Promise<Result<StudySource[]>>;
  /**
   * Runs a study; events report its lines and its progress. A run that trains is paused, then resumes. Refused during
   * another measurement.
   * @returns seconds
   */
  runStudy(name: string, small: boolean): Promise<Result<number>>;
}
