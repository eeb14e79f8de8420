import type { RunRecord } from './record.ts';
import type { RunStart } from '../../worker/api.ts';
import type { Slice } from '../state/slice.ts';

export interface RunsSlice {
  /** All runs that are kept, in their order; undefined until they were read. */
  records: readonly RunRecord[] | undefined;
  /** Why the browser does not keep them. */
  recordsError: string | undefined;
  /** Ids of the runs that are compared. */
  picked: readonly string[];
  /** The weights that the next run begins with. */
  fork: RunStart | undefined;
  setRuns(runs: Partial<Pick<RunsSlice, 'records' | 'recordsError' | 'picked' | 'fork'>>): void;
}

export const runsSlice: Slice<RunsSlice> = (set) => ({
  records: undefined,
  recordsError: undefined,
  picked: [],
  fork: undefined,
  setRuns: (runs) => set(runs),
});
