/**
 * Several threads that run the workgroups of one dispatch. Each takes the next few workgroups until none are left: which
 * thread runs a workgroup is a matter of chance, its results are not. Between dispatches helpers sleep on a word of the
 * shared memory; waking them takes a few microseconds, so that short dispatches are left to the thread that submits them.
 */
import type { Memory, Room } from './memory.ts';
import type { CpuPipeline } from './pipeline.ts';

/** A web worker, or a worker thread of Node. */
export interface Thread {
  /** What it hears by `onmessage`. */
  send(message: unknown): void;
  stop(): void;
}

/** Starts a thread that runs this source and hears messages by `onmessage`. */
export type Spawn = (source: string) => Thread;

/** Words of the memory that all threads watch. */
const CONTROL = {
  /** Odd while workgroups may be taken. */
  signal: 0,
  /** Helpers that may be taking some. */
  active: 1,
  /** Messages that helpers have been sent. */
  messages: 2,
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

/** Milliseconds of work that are worth waking others for. */
const WORTH_MS = 0.08;
/** Parts that each thread takes on average: with fewer, threads wait for the last one; each has a cost. */
const PARTS_EACH = 4;

export class Threads {
  private readonly helpers: Thread[] = [];
  private readonly control: Int32Array | undefined;
  private readonly kernels: CpuPipeline[] = [];
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
      const thread = spawn(`(${helper.toString()})(${JSON.stringify(CONTROL)})`);
      thread.send({ memory: memory.raw, address, words, index });
      this.helpers.push(thread);
    }
  }

  /** How many there are, with the one that submits. */
  get count(): number {
    return 1 + this.helpers.length;
  }

  /** Gives a kernel to all threads. */
  add(kernel: CpuPipeline): void {
    const id = this.kernels.push(kernel) - 1;
    const { control } = this;
    if (!control) return;
    for (const thread of this.helpers) thread.send({ module: kernel.module, id });
    Atomics.add(control, CONTROL.messages, 1);
    Atomics.notify(control, CONTROL.signal);
  }

  /** Runs workgroups from `first` up to `end`. Returns when all have run. */
  run(kernel: CpuPipeline, args: number, first: number, end: number): void {
    const { control } = this;
    const { scratchBytes, isAtomic } = kernel.compiled;
    const stride = Math.ceil(scratchBytes / 256) * 256;
    this.scratch = this.memory.room(this.scratch, stride * this.count);
    const { address: scratch } = this.scratch;
    const count = end - first;
    if (!control || isAtomic || count < 2 || !(count / kernel.pace > WORTH_MS)) {
      kernel.run(args, first, end, scratch);
      return;
    }
    const part = Math.max(1, Math.ceil(count / (this.count * PARTS_EACH)));
    const id = this.kernels.indexOf(kernel);
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
    // Helpers finish the part that they have.
    while (Atomics.load(control, CONTROL.active) > 0);
    if (Atomics.load(control, CONTROL.failed) > 0)
      throw new Error('wgrad bug: a kernel failed on another thread');
  }

  destroy(): void {
    for (const thread of this.helpers) thread.stop();
    this.helpers.length = 0;
  }
}

/** What a helper runs. Its source is all that the other thread gets: it refers to nothing outside. */
function helper({
  signal: SIGNAL,
  active: ACTIVE,
  messages: MESSAGES,
  next: NEXT,
  end: END,
  part: PART,
  kernel: KERNEL,
  args: ARGS,
  scratch: SCRATCH,
  stride: STRIDE,
  failed: FAILED,
}: typeof CONTROL): void {
  type Run = (args: number, first: number, end: number, scratch: number) => void;
  let memory: WebAssembly.Memory;
  let control: Int32Array;
  let index = 0;
  let heard = 0;
  const kernels: Run[] = [];

  const takeParts = () => {
    const run = kernels[control[KERNEL]];
    const [end, part] = [control[END], control[PART]];
    const scratch = control[SCRATCH] + index * control[STRIDE];
    if (!run) return;
    for (;;) {
      const at = Atomics.add(control, NEXT, part);
      if (at >= end) return;
      run(control[ARGS], at, Math.min(end, at + part), scratch);
    }
  };
  /** Until there is a message, which is heard only outside of here. */
  const work = () => {
    for (;;) {
      const signal = Atomics.load(control, SIGNAL);
      if (Atomics.load(control, MESSAGES) !== heard) return;
      if (signal % 2 !== 0) {
        Atomics.add(control, ACTIVE, 1);
        // What is to be done changes only while nobody is active and the signal is even.
        try {
          if (Atomics.load(control, SIGNAL) === signal) takeParts();
        } catch {
          Atomics.add(control, FAILED, 1);
        }
        Atomics.sub(control, ACTIVE, 1);
      }
      Atomics.wait(control, SIGNAL, signal);
    }
  };
  const onmessage = ({ data }: { data: Record<string, never> }) => {
    if (data['memory']) {
      memory = data['memory'];
      index = data['index'];
      control = new Int32Array(memory.buffer, data['address'], data['words']);
    } else {
      const { exports } = new WebAssembly.Instance(data['module'], {
        env: { memory },
        Math: Math as unknown as WebAssembly.ModuleImports,
      });
      kernels[data['id']] = exports['run'] as unknown as Run;
      heard++;
    }
    work();
  };
  Object.assign(globalThis, { onmessage });
}
