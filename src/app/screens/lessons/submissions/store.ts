/** The submissions that a teacher opened, and what recomputing their runs has shown. They are gone when the page is closed. */
import { create } from 'zustand';
import type { FailureValue } from '../../../../base/result.ts';
import type { RecomputedRun, SubmissionFile } from '../../../../worker/api.ts';
import { ask, workerApart } from '../../../client.ts';
import { bytesOf } from '../../../files.ts';
import { KEEPS } from '../../../state/remember.ts';

/** One that could be read. */
export type SubmissionEntry = Extract<SubmissionFile['read'], { ok: true }>['value'];

/** How much of each run is recomputed. */
export type RecomputedPart = 'all' | 'first';

/** Recomputing: how far it is, and how it ended. */
export interface Recomputing {
  /** The key of the run that is computed; undefined once it has ended. */
  run: string | undefined;
  /** Runs that are done, of all. */
  done: number;
  of: number;
  stopped?: true;
  error?: FailureValue;
}

interface SubmissionsState {
  entries: readonly SubmissionEntry[];
  failures: readonly { name: string; error: FailureValue }[];
  reading: boolean;
  /** Runs that were recomputed, by `keyOfRun`. */
  recomputed: Readonly<Record<string, RecomputedRun>>;
  recomputing: Recomputing | undefined;
}

const NOTHING: SubmissionsState = {
  entries: [],
  failures: [],
  reading: false,
  recomputed: {},
  recomputing: undefined,
};

export const useSubmissions = create<SubmissionsState>()(() => NOTHING);

const { setState: set, getState: get } = useSubmissions;

/** A run of an entry, by its index. */
export const keyOfRun = ({ code }: Pick<SubmissionEntry, 'code'>, run: number): string => `${code} ${run}`;

/** Bytes of a file or archive: a school's worth. */
const LARGEST = 2 ** 28;

/** Adds files and archives; one that is there already is not added twice. */
export async function addSubmissions(files: readonly File[]): Promise<void> {
  set({ reading: true });
  const found: SubmissionFile[] = [];
  for (const file of files) {
    const { name } = file;
    const bytes = await bytesOf(file, LARGEST);
    const read = bytes.ok
      ? await ask((api) => api.submission.readSubmissions({ name, bytes: bytes.value }))
      : bytes;
    found.push(...(read.ok ? read.value : [{ name, read }]));
  }
  const entries = new Map(get().entries.map((entry) => [entry.code, entry]));
  const failures = new Map(get().failures.map((failure) => [failure.error.message, failure]));
  for (const { name, read } of found) {
    if (!read.ok) failures.set(read.error.message, { name, error: read.error });
    else if (!entries.has(read.value.code)) entries.set(read.value.code, read.value);
  }
  set({ entries: [...entries.values()], failures: [...failures.values()], reading: false });
}

export const dismissFailures = (): void => set({ failures: [] });

/** Forgets everything. */
export function clearSubmissions(): void {
  stopRecomputing();
  set(NOTHING);
}

const FIRST_STEPS = 50;

let stop: (() => void) | undefined;

/** Ends recomputing; what is done stays. */
export const stopRecomputing = (): void => stop?.();

/** Recomputes all runs, one after the other, in a worker of its own: a run of the page trains on meanwhile. */
export async function recomputeAll(part: RecomputedPart): Promise<void> {
  const jobs = get().entries.flatMap((entry) =>
    entry.submission.runs.map((given, i) => ({
      key: keyOfRun(entry, i),
      given,
      version: entry.submission.wgrad,
    })),
  );
  let isStopped = false;
  const change = (how: Partial<Recomputing>) =>
    set(({ recomputing }) => (recomputing ? { recomputing: { ...recomputing, ...how } } : {}));
  const nothing = () => undefined;
  // Should it die, the call is answered with why.
  const worker = workerApart('cpu', { onEvent: nothing, onDeath: nothing, onResponds: nothing }, KEEPS);
  stop = () => {
    isStopped = true;
    worker.end();
  };
  set({ recomputing: { run: undefined, done: 0, of: jobs.length } });
  const maxSteps = part === 'first' ? FIRST_STEPS : undefined;
  for (const [done, { key, given, version }] of jobs.entries()) {
    change({ run: key, done });
    const answer = await worker.ask((api) => api.submission.recomputeRun(given, version, maxSteps));
    if (!answer.ok) {
      change(isStopped ? {} : { error: answer.error });
      break;
    }
    set(({ recomputed }) => ({ recomputed: { ...recomputed, [key]: answer.value } }));
    change({ done: done + 1 });
  }
  worker.end();
  stop = undefined;
  change({ run: undefined, ...(isStopped ? { stopped: true } : {}) });
}
