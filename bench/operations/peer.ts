/** What every library is asked to do: one operation, over and over. Whoever measures sees only this. */

/** What a library did in one go. */
export interface Timed {
  /** Milliseconds from before the first call was issued until the GPU had nothing left to do. */
  ms: number;
}

/** One library, with the inputs on the GPU. */
export interface Peer {
  /** What of the library does it, for the results. */
  how: Readonly<Record<string, string>>;
  run(calls: number): Promise<Timed>;
  /** Computes it once more. In the order that all share. */
  result(): Promise<Float32Array>;
  close(): Promise<void>;
}

export interface Library<Task> {
  /** "TensorFlow.js 4.22.0, WebGPU" */
  readonly title: string;
  open(task: Task): Promise<Peer>;
}
