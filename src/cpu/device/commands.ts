/** The commands of a queue. */
import type { CpuBuffer } from './buffer.ts';
import type { CpuPipeline } from './pipeline.ts';

/** The part of a buffer that is bound. */
export interface BoundRange {
  buffer: CpuBuffer;
  offset: number;
  bytes: number;
}

/** Ranges by binding. */
export type BindGroup = ReadonlyMap<number, BoundRange>;

export type QueueCommand =
  | { kind: 'dispatch'; pipeline: CpuPipeline; args: Uint32Array; workgroups: number }
  | { kind: 'copy'; from: CpuBuffer; start: number; to: CpuBuffer; at: number; bytes: number }
  | { kind: 'write'; to: CpuBuffer; at: number; data: Uint8Array }
  | { kind: 'time'; times: BigUint64Array; index: number }
  | { kind: 'resolve'; times: BigUint64Array; first: number; to: CpuBuffer; at: number; count: number }
  /** Reports that everything before it is done. */
  | { kind: 'reached'; done: () => void; failed: (error: unknown) => void };
