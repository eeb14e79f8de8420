/**
 * Several threads that run the workgroups of one dispatch. Each takes the next few workgroups until none are left: which
 * thread runs a workgroup is a matter of chance, its results are not. Between dispatches helpers sleep on a word of the
 * shared memory; waking them takes a few microseconds, so that short dispatches are left to the thread that submits them.
 */
import { REPORT, REPORT_BYTES } from '../compile/report.ts';
import { MOST_ROUNDS } from '../compile/rounds.ts';
import type { Memory, Room } from './memory.ts';
import type { CpuPipeline } from './pipeline.ts';

/** More wait for memory, or for one another. */
const MAX_THREADS = 16;

/** How many threads are worth having. */
export const usefulThreads = (cores: number): number => Math.max(1, Math.min(MAX_THREADS, cores));

export const describeThreads = (count: number): string => (count === 1 ? 'one thread' : `${count} threads`);

/** Whether two adapters compute the same bits, by their labels: how many threads there are does not matter. */
export const computeAlike = (one: string, other: string): boolean =>
  withoutThreads(one) === withoutThreads(other);

const withoutThreads = (label: string) => label.replace(/(WebAssembly), (one thread|\d+ threads)/, '$1');

/** A web worker, or a worker thread of Node, that runs helper.js. */
export interface Thread {
  send(message: HelperMessage): void;
  stop(): void;
}

export type Spawn = () => Thread;

/** Words of the memory that all threads watch. */
export const CONTROL = {
  /** Odd while workgroups may be taken. */
  signal: 0,
  /** Helpers that may be taking some. */
  active: 1,
  /** Kernels that were sent to each helper. */
  sent: 2,
  /** The next workgroup, the end of them, and how many are taken at a time. */
  next: 3,
  end: 4,
  part: 5,
  /** What runs, and with what. */
  kernel: 6,
  args: 7,
  scratch: 8,
  stride: 9,
  /** Helpers whose kernel threw. */
  failed: 10,
} as const;

export type HelperMessage =
  /** The first one. @param index of this thread; the one that submits is 0 */
  | { kind: 'start'; memory: WebAssembly.Memory; control: Int32Array; at: typeof CONTROL; index: number }
  | { kind: 'kernel'; module: WebAssembly.Module; id: number };

/** Milliseconds of work that are worth waking others for. */
const WORTH_MS = 0.08;
/** Parts that each thread takes on average: with fewer, threads wait for the last one; each has a cost. */
const PARTS_EACH = 4;

/** Looks at the helpers before the thread sleeps until they are done: a few times as long as it takes to wake. */
const LOOKS = 20_000;

/** Waits while helpers finish the part that they have. Where other programs compute, one may be interrupted in it. */
function untilIdle(control: Int32Array): void {
  const active = () => Atomics.load(control, CONTROL.active);
  for (let look = 0; look < LOOKS; look++) if (active() === 0) return;
  for (let count = active(); count > 0; count = active()) Atomics.wait(control, CONTROL.active, count);
}

export class Threads {
  private readonly helpers: Thread[] = [];
  private readonly control: Int32Array | undefined;
  private readonly ids = new WeakMap<CpuPipeline, number>();
  /** Numbers below it are in use or free. */
  private nextId = 0;
  /** Of kernels that are no longer used. Helpers keep such a kernel until another one gets its number. */
  private readonly freeIds: number[] = [];
  private readonly forgotten = new FinalizationRegistry<number>((id) => this.freeIds.push(id));
  private scratch: Room = { address: 0, bytes: 0 };

  /**
   * @param count with the thread that submits
   * @param spawn absent where there can be no others
   */
  constructor(
    private readonly memory: Memory,
    count: number,
    spawn: Spawn | undefined,
  ) {
    const words = Object.keys(CONTROL).length;
    const address = memory.shared && spawn && count > 1 ? memory.take(4 * words) : undefined;
    if (address === undefined || !spawn) return;
    this.control = new Int32Array(memory.raw.buffer, address, words);
    for (let index = 1; index < count; index++) {
      const thread = spawn();
      thread.send({ kind: 'start', memory: memory.raw, control: this.control, at: CONTROL, index });
      this.helpers.push(thread);
    }
  }

  /** How many there are, with the one that submits. */
  get count(): number {
    return 1 + this.helpers.length;
  }

  /** Gives a kernel to all threads. */
  add(kernel: CpuPipeline): void {
    const { control } = this;
    if (!control) return;
    const id = this.freeIds.pop() ?? this.nextId++;
    this.ids.set(kernel, id);
    this.forgotten.register(kernel, id);
    for (const thread of this.helpers) thread.send({ kind: 'kernel', module: kernel.module, id });
    // Helpers that have not received it yet do not take part: they might have another kernel of this number.
    Atomics.add(control, CONTROL.sent, 1);
    Atomics.notify(control, CONTROL.signal);
  }

  /** Runs workgroups from `first` up to `end`. Returns when all have run. */
  run(kernel: CpuPipeline, args: number, first: number, end: number): void {
    const { control } = this;
    const id = this.ids.get(kernel);
    const { scratchBytes, isAtomic } = kernel.compiled;
    const stride = Math.ceil(scratchBytes / 256) * 256;
    this.scratch = this.memory.room(this.scratch, stride * this.count);
    const { address: scratch } = this.scratch;
    const count = end - first;
    if (!control || id === undefined || isAtomic || count < 2 || !(count / kernel.pace > WORTH_MS)) {
      this.runHere(kernel, args, first, end);
      return;
    }
    const part = Math.max(1, Math.ceil(count / (this.count * PARTS_EACH)));
    const job = { next: first, end, part, kernel: id, args, scratch, stride };
    for (const [name, value] of Object.entries(job)) control[CONTROL[name as keyof typeof job]] = value;
    Atomics.add(control, CONTROL.signal, 1);
    Atomics.notify(control, CONTROL.signal);
    for (;;) {
      const at = Atomics.add(control, CONTROL.next, part);
      if (at >= end) break;
      kernel.run(args, at, Math.min(end, at + part), scratch);
    }
    Atomics.add(control, CONTROL.signal, 1);
    untilIdle(control);
    if (Atomics.load(control, CONTROL.failed) > 0)
      throw new Error('wgrad bug: a kernel failed on another thread');
  }

  /** @throws Error if it is watched, and a race was found or a loop that does not end */
  private runHere(
    { run, compiled: { lineAt } }: CpuPipeline,
    args: number,
    first: number,
    end: number,
  ): void {
    const { address: scratch } = this.scratch;
    if (!lineAt) {
      run(args, first, end, scratch);
      return;
    }
    const report = new DataView(this.memory.raw.buffer, scratch, REPORT_BYTES);
    const said = (what: keyof typeof REPORT) => report.getUint32(REPORT[what], true);
    report.setUint32(REPORT.race, 0, true);
    report.setUint32(REPORT.endless, 0, true);
    report.setUint32(REPORT.rounds, MOST_ROUNDS, true);
    try {
      run(args, first, end, scratch);
    } catch (error) {
      if (said('endless') === 0) throw error;
      throw new Error(`a loop that does not end, ${lineAt(said('endless') - 1)}`, { cause: error });
    }
    if (said('race') > 0) throw new Error(`a race in the memory of a workgroup, ${lineAt(said('race') - 1)}`);
  }

  destroy(): void {
    for (const thread of this.helpers) thread.stop();
    this.helpers.length = 0;
  }
}
