/** Studies that show or measure something in a way of their own: custom/<study>.tsx. */
import type { ComponentType } from 'react';
import type { StudyInfo, StudyLine } from '../../../worker/api.ts';

export interface PageRun {
  small: boolean;
  signal: AbortSignal;
  report(line: StudyLine): void;
  /** @param share 0 to 1 */
  progress(share: number, doing: string): void;
}

export interface Custom {
  /** Shown above the figures. */
  View?: ComponentType<{ study: StudyInfo; lines: readonly StudyLine[] }>;
  /** Measures in the page instead of the worker. @throws Failure */
  run?(context: PageRun): Promise<void>;
}

const files = import.meta.glob<Custom>('./custom/*.tsx');

/** What a study has of its own; undefined if nothing. */
export const customOf = async (study: string): Promise<Custom | undefined> =>
  files[`./custom/${study}.tsx`]?.();

export const hasCustom = (study: string): boolean => `./custom/${study}.tsx` in files;
