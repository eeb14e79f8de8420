/**
 * What calls to WebGPU cost the CPU. While a device is tapped, its calls go through a clock; what calls them knows
 * nothing of it. Browsers round the clock, to 0.1 ms or 5 µs, at a moment that has nothing to do with the calls, so
 * that the mean of many calls is right where a single one is not.
 */
import type { Device } from './device.ts';

/** One kind of call. */
export interface CallTime {
  /** "setBindGroup". */
  call: string;
  /** How often it was made. */
  count: number;
  /** All of them together. Where the call waits for the GPU, until it was done. */
  ms: number;
  waits: boolean;
}

/** By the kind of object that has them, the calls of a training step. Those that wait answer a promise. */
const QUEUE = ['writeBuffer', 'submit', 'onSubmittedWorkDone'] as const;
const ENCODER = ['copyBufferToBuffer', 'finish'] as const;
const PASS = ['setPipeline', 'setBindGroup', 'dispatchWorkgroups', 'end'] as const;
const BUFFER = ['mapAsync', 'getMappedRange', 'unmap'] as const;

export class CallTap {
  private readonly calls = new Map<string, CallTime>();
  private readonly lasting: (() => void)[] = [];

  /** Until `close`, calls on this device's queue, and on what it makes from now on, are timed. */
  constructor({ raw, queue }: Device) {
    const keep = (untap: () => void) => this.lasting.push(untap);
    for (const name of QUEUE) keep(this.tap(queue, name));
    const encoders = this.tap(raw, 'createCommandEncoder', (encoder: GPUCommandEncoder) => {
      for (const name of ENCODER) this.tap(encoder, name);
      this.tap(encoder, 'beginComputePass', (pass: GPUComputePassEncoder) => {
        for (const name of PASS) this.tap(pass, name);
      });
    });
    keep(encoders);
    const buffers = this.tap(raw, 'createBuffer', (buffer: GPUBuffer) => {
      for (const name of BUFFER) keep(this.tap(buffer, name));
    });
    keep(buffers);
  }

  /** Forgets what was counted so far: it was a warm-up. */
  clear(): void {
    this.calls.clear();
  }

  get times(): CallTime[] {
    return [...this.calls.values()];
  }

  close(): void {
    for (const untap of this.lasting) untap();
    this.lasting.length = 0;
  }

  /** Shadows a method of the object's class with a timed one; returns a function that undoes it. */
  private tap<O extends object, K extends keyof O & string>(
    object: O,
    name: K,
    made?: (result: O[K] extends (...given: never[]) => infer R ? R : never) => void,
  ): () => void {
    const plain = object[name] as unknown as (...given: unknown[]) => unknown;
    const timed = (...given: unknown[]): unknown => {
      const start = performance.now();
      const result = plain.apply(object, given);
      const add = (waits: boolean) => this.add(name, performance.now() - start, waits);
      if (result instanceof Promise) {
        result.then(
          () => add(true),
          () => add(true),
        );
      } else {
        add(false);
      }
      made?.(result as never);
      return result;
    };
    Object.defineProperty(object, name, { value: timed, configurable: true });
    return () => Reflect.deleteProperty(object, name);
  }

  private add(call: string, ms: number, waits: boolean): void {
    const known = this.calls.get(call);
    this.calls.set(call, { call, count: (known?.count ?? 0) + 1, ms: (known?.ms ?? 0) + ms, waits });
  }
}
