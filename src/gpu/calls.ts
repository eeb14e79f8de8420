/**
 * Measures the CPU time of WebGPU calls. While a device is tapped, its calls are timed, transparently for callers.
 * Browsers round the clock to 0.1 ms or 5 µs, independently of the calls, so the mean of many calls is accurate
 * although a single one is not.
 */
import type { Device } from './device.ts';

/** One kind of call. */
export interface CallTime {
  /** "setBindGroup". */
  call: string;
  /** The number of calls. */
  count: number;
  /** The total time. For calls that wait for the GPU, until they were done. */
  ms: number;
  waits: boolean;
}

/** The calls by the object's type. Those that wait return a promise. */
const QUEUE = ['writeBuffer', 'submit', 'onSubmittedWorkDone'] as const;
const ENCODER = ['copyBufferToBuffer', 'finish'] as const;
const PASS = ['setPipeline', 'setBindGroup', 'dispatchWorkgroups', 'end'] as const;
const BUFFER = ['mapAsync', 'getMappedRange', 'unmap'] as const;
/** Those of setting up, which a training step does not make. */
const SETUP = ['createShaderModule', 'createComputePipelineAsync', 'createBindGroup'] as const;

export class CallTap {
  private readonly calls = new Map<string, CallTime>();
  private readonly lasting: (() => void)[] = [];

  /** Times calls on this device's queue, and on objects that it creates from now on, until `close`. */
  constructor({ raw, queue }: Device) {
    const keep = (untap: () => void) => this.lasting.push(untap);
    for (const name of QUEUE) keep(this.tap(queue, name));
    for (const name of SETUP) keep(this.tap(raw, name));
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

  /** Discards the counts so far, as a warm-up. */
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
