/**
 * Predicts how long dispatches take, from what their threads do and a few numbers of the device. A core runs as many
 * workgroups at a time as it has room for, in rounds; while one waits for memory, the others compute. Kernels that
 * compute little take the time of their bytes.
 */
import { bytesOf, type DispatchSpec } from './dispatch.ts';

/** What a workgroup does: see DispatchSpec. */
export interface Work {
  threads: number;
  /** Sums that a thread has in registers. */
  sums: number;
  /** What a thread computes, in multiply-adds; other instructions count as much as they take. */
  cost: number;
  /** Nanoseconds that the workgroup waits for memory, one wait after the other. */
  wait: number;
  /** Bytes of workgroup memory. Default: few. */
  memory?: number;
}

/** The speed of a device. */
export interface Pace {
  cores: number;
  /** Multiply-adds per microsecond of a core that never waits. */
  rate: number;
  /** Bytes that a copy reads and writes per microsecond. */
  bytes: number;
  /** Microseconds from one dispatch to the next. */
  dispatch: number;
}

/** An NVIDIA H200. What is predicted is the ranking of launches, in which other GPUs differ less than in speed. */
const LARGE_GPU: Pace = { cores: 132, rate: 145e3, bytes: 2.68e6, dispatch: 3.4 };

/** What a core of a GPU has room for: sums, threads, workgroups, and bytes of their memory. */
const ROOM = { sums: 24576, threads: 2048, workgroups: 32, memory: 200e3 };

/** Threads that GPUs run in step: a workgroup takes a multiple of them. */
const LANES = 32;

/*
 * The constants below describe kernels rather than devices. They are fitted to the times of 1,489 launches for the 96
 * problems of the suite `published` on an NVIDIA H200; bench/NOTES.md has what they lose on networks left out.
 */

/** Waits for a term of a sum: between workgroup memory and registers, and for one that is read from memory. */
export const STAGED_WAIT = 17;
export const LOADED_WAIT = 78;
/** The wait for a value that is copied to workgroup memory, and its cost with the decomposition of its index. */
export const COPIED_WAIT = 150;
export const COPIED_COST = 36;
/** The cost of a value read from memory in an inner loop: by threads that compute one sum, and by those with many. */
export const LOAD_COST = 1.3;
export const TILE_LOAD_COST = 7.3;
/** The cost of a value that is gathered from an image. */
export const GATHER_COST = 8.4;

/** How the time of kernels that only move data compares with that of a copy of as many bytes. */
export const SPREAD = {
  usual: 1.2,
  /** Neighbouring threads read what others have just read. */
  cached: 0.65,
  /** Neighbouring threads read from distant places. */
  distant: 2.5,
  /** A division for every value. */
  divided: 6,
};

/**
 * Work of threads that read all values from memory as they need them.
 * @param reads values, or vectors of four, for a term of each of a thread's sums
 */
export const loadingWork = (
  threads: number,
  sums: number,
  terms: number,
  reads: number,
  each = LOAD_COST,
): Work => ({
  threads,
  sums,
  cost: (terms + EDGES) * (sums + each * reads),
  wait: (terms + EDGES) * LOADED_WAIT,
});

/**
 * Work of threads that read values from workgroup memory, after copying them there.
 * @param copies values that a thread copies, in `steps` steps
 */
export const copyingWork = (
  threads: number,
  sums: number,
  terms: number,
  reads: number,
  { copies, steps, memory }: { copies: number; steps: number; memory: number },
): Work => ({
  threads,
  sums,
  cost: (terms + EDGES) * (sums + reads + 1) + COPIED_COST * copies,
  wait: Math.ceil(copies / steps) * steps * COPIED_WAIT + (terms + EDGES) * STAGED_WAIT,
  memory,
});

/** The start and the end of a workgroup, in terms of its sums. */
const EDGES = 4;

/** Microseconds of `workgroups` that do the same. */
export function workTime(work: Work, workgroups: number, { cores, rate }: Pace = LARGE_GPU): number {
  const { threads, sums, cost, wait, memory = 0 } = work;
  const most = Math.floor(
    Math.min(ROOM.sums / (sums * threads), ROOM.threads / threads, ROOM.workgroups, ROOM.memory / memory),
  );
  const together = Math.max(1, most);
  const lanes = Math.ceil(threads / LANES) * LANES;
  const round = (count: number) => (count === 0 ? 0 : (count * lanes * cost) / rate + wait / 1e3);
  const rounds = Math.floor(workgroups / (cores * together));
  return rounds * round(together) + round(Math.ceil(workgroups / cores - rounds * together));
}

/** Microseconds of dispatches, one after the other. */
export function predictedTime(dispatches: readonly DispatchSpec[], pace = LARGE_GPU): number {
  return dispatches.reduce((sum, { work, workgroups: [x, y, z], tensors, bytes, spread }) => {
    const moved = (bytes ?? bytesOf(tensors)) / pace.bytes;
    const time = work ? Math.max(workTime(work, x * y * z, pace), moved) : moved * (spread ?? SPREAD.usual);
    return sum + pace.dispatch + time;
  }, 0);
}
