/**
 * Runs what is submitted, in order, a few milliseconds at a time. In between, the thread handles messages, so a long
 * training step does not delay a command to pause.
 */
import type { CpuBuffer } from './buffer.ts';
import type { QueueCommand } from './commands.ts';
import type { Memory, Room } from './memory.ts';
import type { Threads } from './threads.ts';
import { afterOthers } from './turns.ts';

/** Milliseconds of work before other tasks have their turn. */
const TURN_MS = 8;
/** Workgroups of a kernel's first part, before its pace is known. */
const FIRST_WORKGROUPS = 1;
/** A time is only believed from this many milliseconds on: browsers' clocks are coarse. */
const BELIEVED_MS = 0.5;
/** Finished commands that are kept before the list is shortened. */
const DONE_KEPT = 1000;

export class Queue {
  private readonly commands: QueueCommand[] = [];
  private next = 0;
  /** Workgroups of the next dispatch that have run. */
  private ran = 0;
  private isRunning = false;
  /** What ended the queue: a command threw, or the device was destroyed. */
  private error: Error | undefined;
  /** Milliseconds of work so far. */
  private worked = 0;
  private args: Room = { address: 0, bytes: 0 };

  constructor(
    private readonly memory: Memory,
    private readonly threads: Threads,
    /** Called with what a command threw; nothing runs after it. */
    private readonly onError: (error: Error) => void,
  ) {}

  submit(lists: readonly { commands: readonly QueueCommand[] }[]): void {
    for (const { commands } of lists) this.push(...commands);
  }

  push(...commands: readonly QueueCommand[]): void {
    if (this.error) return;
    for (const command of commands) this.commands.push(command);
    if (this.isRunning) return;
    this.isRunning = true;
    afterOthers(() => this.turn());
  }

  /** Resolves when everything submitted before is done; rejects if the queue ended. */
  reached(): Promise<void> {
    if (this.error !== undefined) return Promise.reject(this.error);
    if (!this.isRunning) return Promise.resolve();
    return new Promise((done, failed) => this.push({ kind: 'reached', done, failed }));
  }

  /** Ends the queue: nothing more runs, and waiting promises reject. */
  stop(error: Error): void {
    this.error ??= error;
    this.isRunning = true;
    for (const command of this.commands.splice(0)) if (command.kind === 'reached') command.failed(error);
    this.next = 0;
  }

  /** Resolves even if the device is lost, as WebGPU's does. */
  onSubmittedWorkDone(): Promise<void> {
    return this.reached().catch(() => undefined);
  }

  /** Sizes and offsets of typed arrays count elements, as WebGPU's do. */
  writeBuffer(
    to: CpuBuffer,
    at: number,
    data: ArrayBuffer | ArrayBufferView,
    offset = 0,
    size?: number,
  ): void {
    const each = 'BYTES_PER_ELEMENT' in data ? Number(data.BYTES_PER_ELEMENT) : 1;
    const [buffer, start] = ArrayBuffer.isView(data) ? [data.buffer, data.byteOffset] : [data, 0];
    const bytes = size === undefined ? data.byteLength - offset * each : size * each;
    const source = new Uint8Array(buffer, start + offset * each, bytes);
    if (this.isRunning) this.push({ kind: 'write', to, at, data: source.slice() });
    else this.memory.bytes.set(source, to.address + at);
  }

  private turn(): void {
    if (this.error) return;
    const start = performance.now();
    const elapsed = () => performance.now() - start;
    try {
      while (this.next < this.commands.length && elapsed() < TURN_MS) this.step(start);
    } catch (error) {
      this.onError(error as Error);
      this.stop(error as Error);
      return;
    }
    this.worked += elapsed();
    // The queue may never run empty, so finished commands are removed now and then.
    if (this.next >= DONE_KEPT) {
      this.commands.splice(0, this.next);
      this.next = 0;
    }
    if (this.next < this.commands.length) {
      afterOthers(() => this.turn());
      return;
    }
    this.commands.length = 0;
    this.next = 0;
    this.isRunning = false;
  }

  /** Runs the next command, or a part of it. */
  private step(turnStart: number): void {
    const command = this.commands[this.next];
    const { bytes } = this.memory;
    switch (command.kind) {
      case 'dispatch':
        if (!this.dispatch(command)) return;
        break;
      case 'copy': {
        const start = command.from.address + command.start;
        bytes.copyWithin(command.to.address + command.at, start, start + command.bytes);
        break;
      }
      case 'write':
        bytes.set(command.data, command.to.address + command.at);
        break;
      case 'time':
        command.times[command.index] = BigInt(
          Math.round((this.worked + performance.now() - turnStart) * 1e6),
        );
        break;
      case 'resolve': {
        const { times, first, count, to, at } = command;
        const part = times.slice(first, first + count);
        bytes.set(new Uint8Array(part.buffer), to.address + at);
        break;
      }
      case 'reached':
        command.done();
    }
    this.next++;
  }

  /** Runs some workgroups. Returns whether all have run. */
  private dispatch({ pipeline, args, workgroups }: QueueCommand & { kind: 'dispatch' }): boolean {
    this.args = this.memory.room(this.args, args.byteLength);
    new Uint32Array(this.memory.raw.buffer, this.args.address, args.length).set(args);
    const most = pipeline.pace > 0 ? Math.max(1, Math.floor(pipeline.pace * TURN_MS)) : FIRST_WORKGROUPS;
    const end = Math.min(workgroups, this.ran + most);
    const start = performance.now();
    this.threads.run(pipeline, this.args.address, this.ran, end);
    const ms = performance.now() - start;
    const count = end - this.ran;
    if (ms >= BELIEVED_MS) pipeline.pace = count / ms;
    else pipeline.pace = Math.max(pipeline.pace, (4 * count) / TURN_MS);
    this.ran = end;
    if (end < workgroups) return false;
    this.ran = 0;
    return true;
  }
}
