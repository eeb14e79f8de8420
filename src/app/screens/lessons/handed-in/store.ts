/** What was handed in, and what computing it again has shown. It is gone when the page is closed. */
import { create } from 'zustand';
import type { FailureValue } from '../../../../base/result.ts';
import type { GivenFile, HandedFile, HandIn, RecomputedRun } from '../../../../worker/api.ts';
import { ask, workerApart } from '../../../client.ts';
import { bytesOf } from '../../../files.ts';
import { KEEPS } from '../../../state/remember.ts';

export interface HandedEntry {
  handIn: HandIn;
  code: string;
  /** For each run its losses, as the file has them. */
  losses: readonly Float32Array[];
}

export type AgainSample = 'all' | 'first' | 'third';

/** Computing again: how far it is, and how it ended. */
export interface Again {
  /** The key of the run that is computed; undefined once it has ended. */
  run: string | undefined;
  /** Runs that are done, of all. */
  done: number;
  of: number;
  step: number;
  steps: number;
  /** Milliseconds so far. */
  ms: number;
  stopped?: true;
  error?: FailureValue;
}

interface HandedIn {
  entries: readonly HandedEntry[];
  failures: readonly { name: string; error: FailureValue }[];
  reading: boolean;
  /** Runs that were computed again, by `keyOfRun`. */
  recomputed: Readonly<Record<string, RecomputedRun>>;
  again: Again | undefined;
}

const NOTHING: HandedIn = { entries: [], failures: [], reading: false, recomputed: {}, again: undefined };

export const useHandedIn = create<HandedIn>()(() => NOTHING);

const { setState: set, getState: get } = useHandedIn;

/** A run of an entry, by its index. */
export const keyOfRun = ({ code }: Pick<HandedEntry, 'code'>, run: number): string => `${code} ${run}`;

/** Bytes of a file or archive: a school's worth. */
const LARGEST = 2 ** 28;

/** Adds files and archives; one that is there already is not added twice. What else a folder has is nobody's. */
export async function takeHandIns(files: readonly GivenFile[]): Promise<void> {
  set({ reading: true });
  const found: HandedFile[] = [];
  for (const { path, file } of files) {
    if (path.includes('/') && !/\.(json|zip)$/i.test(path)) continue;
    const bytes = await bytesOf(file, LARGEST);
    const read = bytes.ok
      ? await ask((api) => api['handing-in'].readHandIns([{ name: path, bytes: bytes.value }]))
      : bytes;
    found.push(...(read.ok ? read.value : [{ name: path, read }]));
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
export function clearHandIns(): void {
  stopAgain();
  set(NOTHING);
}

const FIRST_STEPS = 50;

/** What is computed of a sample: these runs. */
function sampled(sample: AgainSample): { key: string; entry: HandedEntry; run: number }[] {
  const all = get().entries.flatMap((entry) =>
    entry.handIn.runs.map((_, run) => ({ key: keyOfRun(entry, run), entry, run })),
  );
  if (sample !== 'third') return all;
  const shuffled = all
    .map((job) => ({ job, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ job }) => job);
  return shuffled.slice(0, Math.ceil(all.length / 3));
}

let stop: (() => void) | undefined;

/** Ends computing again; what is done stays. */
export const stopAgain = (): void => stop?.();

/** Computes runs again, one after the other, in a worker of its own: a run of the page trains on meanwhile. */
export async function computeAllAgain(sample: AgainSample): Promise<void> {
  const jobs = sampled(sample);
  const since = performance.now();
  let isStopped = false;
  const change = (how: Partial<Again>) =>
    set(({ again }) => (again ? { again: { ...again, ms: performance.now() - since, ...how } } : {}));
  const worker = workerApart(
    'cpu',
    {
      onEvent: (event) => event.type === 'again' && change({ step: event.done }),
      // The call is answered with why.
      onDeath: () => undefined,
      onResponds: () => undefined,
    },
    KEEPS,
  );
  stop = () => {
    isStopped = true;
    worker.end();
  };
  set({ again: { run: undefined, done: 0, of: jobs.length, step: 0, steps: 0, ms: 0 } });
  for (const [done, { key, entry, run }] of jobs.entries()) {
    const given = entry.handIn.runs[run];
    const most = sample === 'first' ? FIRST_STEPS : undefined;
    change({ run: key, done, step: 0, steps: Math.min(given.steps, most ?? Infinity) });
    const answer = await worker.ask((api) => api['handing-in'].computeAgain(given, entry.handIn.wgrad, most));
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
