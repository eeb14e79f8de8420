/** The runs that are kept, and what the next run takes from one. */
import { create } from 'zustand';
import type { RunStart } from '../../worker/api.ts';
import type { RunRecord } from './record.ts';

interface RunsState {
  /** All runs that are kept, in their order; undefined until they were read. */
  records: readonly RunRecord[] | undefined;
  /** Why the browser does not keep them. */
  error: string | undefined;
  /** The weights that the next run begins with. */
  fork: RunStart | undefined;
}

export const useRuns = create<RunsState>()(() => ({ records: undefined, error: undefined, fork: undefined }));
