/**
 * Predicts how long dispatches take, from what their threads do and a few numbers of the device. A core of a GPU runs as
 * many workgroups at a time as it has room for, in rounds; while one waits for memory, the others compute. A processor
 * runs threads one after the other. Kernels that compute little take the time of their bytes.
 */
import type { Device } from '../gpu/device.ts';
import { bytesOf, type DispatchSpec } from './dispatch.ts';

/** What a workgroup does: see DispatchSpec. */
export interface Work {
  threads: number;
  /** For GPUs: sums that a thread has in registers. */
  sums: number;
  /** What it computes, in multiply-adds; other instructions count as much as they take. */
  cost: number;
  /** Nanoseconds that the workgroup waits for memory, one wait after the other. */
  wait: number;
  /** Registers of a thread, where they are more than its sums let expect. */
  registers?: number;
  /** Bytes of workgroup memory. Default: few. */
  memory?: number;
  /** For processors: a thread's multiply-adds and the values, or vectors of four, that it reads. */
  products: number;
  reads: Reads;
}

/** Values by where they come from: workgroup memory, memory, or a place of an image that must be looked up. */
export interface Reads {
  staged?: number;
  loaded?: number;
  gathered?: number;
}

/** The speed of a device: see pace.ts. */
export interface Pace {
  cores: number;
  /** Multiply-adds per microsecond of a core that never waits. */
  rate: number;
  /** Bytes that a copy reads and writes per microsecond. */
  bytes: number;
  /** Microseconds from one dispatch to the next. */
  dispatch: number;
}

/** An NVIDIA H200. */
const LARGE_GPU: Pace = { cores: 132, rate: 156e3, bytes: 2.68e6, dispatch: 3.4 };

/** How processors execute kernels: what reads cost, in multiply-adds, and what moving data takes, relative to a copy. */
interface Execution {
  reads: Required<Reads>;
  moving: number;
  /** Before it is measured. */
  pace: Pace;
}

/** SwiftShader. Its threads are interrupted wherever they wait for one another to fill workgroup memory. */
const SOFTWARE: Execution = {
  reads: { staged: 100, loaded: 5, gathered: 7 },
  moving: 7,
  pace: { cores: 1, rate: 2300, bytes: 1800, dispatch: 15 },
};

/** The CPU engine. */
const CPU: Execution = {
  reads: { staged: 3, loaded: 5.5, gathered: 9 },
  moving: 10,
  pace: { cores: 1, rate: 11000, bytes: 27000, dispatch: 0.5 },
};

/** What a core of a GPU has room for: sums, registers, threads, workgroups, and bytes of their memory. */
const ROOM = { sums: 24576, registers: 65536, threads: 2048, workgroups: 32, memory: 200e3 };

/** Threads that GPUs run in step: a workgroup takes a multiple of them. */
const LANES = 32;

/*
 * The constants below describe kernels rather than devices. They are fitted to launches for the problems of the suite
 * `published` on an NVIDIA H200; bench/NOTES.md has what they lose on networks left out.
 */

/** Waits for a term of a sum: between workgroup memory and registers, and for one that is read from memory. */
export const STAGED_WAIT = 17;
export const LOADED_WAIT = 78;
/** The wait for a value that is copied to workgroup memory, and its cost with the decomposition of its index. */
const COPIED_WAIT = 133;
const COPIED_COST = 36;
/** How much longer such waits are if a tensor is larger than the cache of a large GPU. */
const FAR_WAIT = 200;
const CACHE_BYTES = 40e6;
const farWait = (bytes: number): number => (bytes > CACHE_BYTES ? FAR_WAIT : 0);
/** The cost of a value read from memory in an inner loop: by threads that compute one sum, and by those with many. */
export const LOAD_COST = 1.3;
export const TILE_LOAD_COST = 7.3;
/** The cost of a value that is gathered from an image, by computed places or by those of a table. */
export const GATHER_COST = 3.5;
export const TABLE_COST = 9;

/** How the time of kernels that only move data compares with that of a copy of as many bytes. */
export const SPREAD = {
  usual: 1.2,
  /** Neighbouring threads read what others have just read. */
  cached: 0.65,
  /** Neighbouring threads read from distant places. */
  distant: 2.5,
  /** Neighbouring threads write to every second place. */
  interleaved: 4.5,
  /** A division for every value. */
  divided: 6,
};

/** That of kernels whose neighbouring threads read from distant places of a tensor: a large GPU's cache makes up for it. */
export const distantSpread = (bytes: number): number =>
  bytes > CACHE_BYTES ? SPREAD.distant : SPREAD.cached;

/**
 * Work of threads that read all values from memory as they need them.
 * @param reads values, or vectors of four, for a term of each of a thread's sums
 * @param streamed bytes of the tensors, if no other thread has read a term's values just before
 */
export const loadingWork = (
  threads: number,
  sums: number,
  terms: number,
  reads: number,
  { each = LOAD_COST, streamed = 0 }: { each?: number; streamed?: number } = {},
): Work => ({
  threads,
  sums,
  cost: (terms + THREAD_EDGES) * (sums + each * reads),
  wait: (terms + THREAD_EDGES) * (LOADED_WAIT + farWait(streamed)),
  products: terms * sums,
  // Of an image and of filters or gradients.
  reads: { gathered: (terms * reads) / 2, loaded: (terms * reads) / 2 },
});

/**
 * Work of threads that read values from workgroup memory, after copying them there.
 * @param copies values that a thread copies, in `steps` steps, of a tensor of so many bytes
 */
export const copyingWork = (
  threads: number,
  sums: number,
  terms: number,
  reads: number,
  each: number,
  { copies, steps, memory, bytes }: { copies: number; steps: number; memory: number; bytes: number },
): Work => ({
  threads,
  sums,
  cost: (terms + EDGES) * (sums + each * reads + 1) + COPIED_COST * copies,
  wait: Math.ceil(copies / steps) * steps * (COPIED_WAIT + farWait(bytes)) + (terms + EDGES) * STAGED_WAIT,
  memory,
  products: terms * sums,
  reads: { staged: terms * reads, gathered: copies },
});

/** The start and the end of a workgroup, in terms of its sums. */
const EDGES = 4;
/** The same where every thread finds its own place, and stores its own sums. */
const THREAD_EDGES = 7;

/** Microseconds that a GPU takes for `workgroups` that do the same. */
export function workTime(
  work: Work,
  workgroups: number,
  { cores, rate }: Pick<Pace, 'cores' | 'rate'> = LARGE_GPU,
): number {
  const { threads, sums, registers, cost, wait, memory = 0 } = work;
  const values = registers ? ROOM.registers / registers : ROOM.sums / sums;
  const most = Math.floor(
    Math.min(values / threads, ROOM.threads / threads, ROOM.workgroups, ROOM.memory / memory),
  );
  const together = Math.max(1, most);
  const lanes = Math.ceil(threads / LANES) * LANES;
  const round = (count: number) => (count === 0 ? 0 : (count * lanes * cost) / rate + wait / 1e3);
  const rounds = Math.floor(workgroups / (cores * together));
  return rounds * round(together) + round(Math.ceil(workgroups / cores - rounds * together));
}

/** The multiply-adds that take a processor as long as `workgroups` that do the same. */
function processorCost(
  { threads, products, reads }: Work,
  workgroups: number,
  { reads: costs }: Execution,
): number {
  const { staged = 0, loaded = 0, gathered = 0 } = reads;
  const each = products + staged * costs.staged + loaded * costs.loaded + gathered * costs.gathered;
  return workgroups * threads * each;
}

/** What predictions need to know of a device. */
export type Predicted = Pick<Device, 'adapter'>;

const executionOf = ({ adapter }: Predicted): Execution | undefined =>
  adapter.cpu ? CPU : adapter.software ? SOFTWARE : undefined;

const paces = new WeakMap<Predicted['adapter'], Pace>();

/** Predictions for a device follow this speed from now on. */
export function setPace({ adapter }: Predicted, pace: Pace): void {
  paces.set(adapter, pace);
}

/** The speed of a device; until it is set, one that is typical for its kind. */
export const paceOf = (device: Predicted): Pace =>
  paces.get(device.adapter) ?? executionOf(device)?.pace ?? LARGE_GPU;

/** Microseconds of dispatches, one after the other. */
export function predictedTime(device: Predicted, dispatches: readonly DispatchSpec[]): number {
  const pace = paceOf(device);
  const execution = executionOf(device);
  return dispatches.reduce((sum, { work, workgroups: [x, y, z], tensors, bytes, spread }) => {
    const moved = (bytes ?? bytesOf(tensors)) / pace.bytes;
    const count = x * y * z;
    const time = execution
      ? work
        ? processorCost(work, count, execution) / (pace.rate * pace.cores)
        : moved * execution.moving
      : work
        ? Math.max(workTime(work, count, pace), moved * (spread ?? 1))
        : moved * (spread ?? SPREAD.usual);
    return sum + pace.dispatch + time;
  }, 0);
}

/** The rate at which a device takes so many microseconds for `workgroups` that do the same. */
export function rateFor(
  device: Predicted,
  work: Work,
  workgroups: number,
  cores: number,
  microseconds: number,
): number {
  const execution = executionOf(device);
  if (execution) return processorCost(work, workgroups, execution) / (cores * microseconds);
  // Times fall as the rate rises: halve the octaves between a slow and a fast device.
  let [low, high] = [1, 1e9];
  for (let i = 0; i < 60; i++) {
    const rate = Math.sqrt(low * high);
    if (workTime(work, workgroups, { cores, rate }) > microseconds) low = rate;
    else high = rate;
  }
  return high;
}
