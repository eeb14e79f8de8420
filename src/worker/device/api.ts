/** The GPU device that everything computes on: types only. */
import type { FailureValue, Result } from '../../base/result.ts';
import type { AdapterInfo } from '../../gpu/device.ts';
import type { GpuTask } from '../../run/gpu-tasks.ts';

/** What computes: the GPU, the processor, or the GPU where there is one that is not only software. */
export type EngineChoice = 'auto' | 'gpu' | 'cpu';

declare module '../api.ts' {
  interface Parts {
    device: { calls: DeviceApi; events: DeviceEvent | CompilingEvent | GpuBusyEvent | GpuTaskEvent };
  }
}

export interface AdapterSummary extends AdapterInfo {
  /** Why this is the CPU although nobody chose it. */
  insteadOfGpu?: FailureValue;
  /** The device measures times on the GPU. */
  timestamps: boolean;
  /** Bytes of workspace that a convolution may use by default. */
  workspace: number;
  /** 1 for the first device of this page; one more after every loss. */
  generation: number;
}

export interface DeviceApi {
  /** Requests an adapter and a device. A failure explains why there is none and what to do. */
  connect(): Promise<Result<AdapterSummary>>;
  /**
   * Computes on this engine from now on. A run that trains pauses with a checkpoint and resumes on it. If the engine is
   * not available, a failure says why, and nothing changes.
   */
  useEngine(choice: EngineChoice): Promise<Result<AdapterSummary>>;
  /** Stops the task that has the GPU to itself, if there is one: soon after, its call fails with `cancelled`. */
  cancelGpuTask(): Promise<void>;
  /** For tests of recovery: destroys the device as if the GPU process had crashed. */
  loseDevice(): Promise<void>;
  /** For tests and debugging: the buffers on the GPU. */
  ledger(): Promise<{ buffers: number; bytes: number }>;
}

export interface DeviceEvent {
  type: 'device';
  state: 'ready' | 'lost' | 'recovering' | 'unavailable';
  adapter?: AdapterSummary;
  error?: FailureValue;
}

/** The GPU has worked on one task for five seconds, or does so no longer. */
export interface GpuBusyEvent {
  type: 'gpuBusy';
  busy: boolean;
}

/** The task that has the GPU to itself from now on, or none. */
export interface GpuTaskEvent {
  type: 'gpuTask';
  task: GpuTask | undefined;
}

/** Kernels that are being compiled: so many are done, of those requested since the last time that all were. */
export interface CompilingEvent extends Compiling {
  type: 'compiling';
}

export interface Compiling {
  done: number;
  total: number;
}
