/** The GPU device that everything computes on: types only. */
import type { FailureValue, Result } from '../../base/result.ts';
import type { AdapterInfo } from '../../gpu/device.ts';

declare module '../api.ts' {
  interface Parts {
    device: { calls: DeviceApi; events: DeviceEvent };
  }
}

export interface AdapterSummary extends AdapterInfo {
  /** The device measures times on the GPU. */
  timestamps: boolean;
  /** 1 for the first device of this page; one more after every loss. */
  generation: number;
}

export interface DeviceApi {
  /** Requests an adapter and a device. A failure explains why there is none and what to do. */
  connect(): Promise<Result<AdapterSummary>>;
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
