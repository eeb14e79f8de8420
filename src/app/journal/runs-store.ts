/** The saved runs, and what the next run takes from one. */
import { create } from 'zustand';
import type { RunStart } from '../../worker/api.ts';
import type { RunRecord } from './record.ts';

interface RunsState {
  /** All saved runs, in order; undefined until they are loaded. */
  records: readonly RunRecord[] | undefined;
  /** Why the browser cannot save them. */
  error: string | undefined;
  /** The weights that the next run begins with. */
  fork: RunStart | undefined;
}

export const useRuns = create<RunsState>()(() => ({ records: undefined, error: undefined, fork: undefined }));
