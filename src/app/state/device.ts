import type { FailureValue } from '../../base/result.ts';
import type { GpuTask } from '../../run/gpu-tasks.ts';
import type { AdapterSummary } from '../../worker/api.ts';
import { recall, remember } from './remember.ts';
import type { Slice } from './slice.ts';
import type { AppState } from './store.ts';

export type DeviceState = 'connecting' | 'ready' | 'lost' | 'recovering' | 'unavailable';

export interface DeviceSlice {
  device: DeviceState;
  /** The adapter in use, or the last one that was. */
  adapter: AdapterSummary | undefined;
  deviceError: FailureValue | undefined;
  /** What the worker said when it died: not its device but the worker itself is gone. */
  crash: string | undefined;
  /** How many workers were started in this visit: requests are not carried over to a new one. */
  workers: number;
  /** The pad has been answered, or will not be: what only shows something is fetched after that. */
  arrived: boolean;
  /** False while the worker does not answer. */
  responds: boolean;
  /** The GPU has worked on one task for five seconds. */
  gpuBusy: boolean;
  /** Why a part of the worker could not be fetched. */
  missingPart: FailureValue | undefined;
  /** The adapter whose slowness the person has read about, also on an earlier visit. */
  readAbout: string | undefined;
  /** What the next run needs, where that may be more memory than this device has; see memory-budget.ts. */
  tightMemory: { bytes: number; budget: number } | undefined;
  /** The task that has the GPU to itself now: nothing trains meanwhile. */
  gpuTask: GpuTask | undefined;
  /** A task has paused the run, which resumes by itself afterwards. */
  resumes: boolean;
  setDevice(device: DeviceState, adapter?: AdapterSummary, error?: FailureValue): void;
  /** The person has read why training is slow here. */
  noteAdviceRead(): void;
}

/** The names of the engines. */
export const ENGINES = { gpu: 'GPU', cpu: 'CPU' };

/** The engine that computes; while that is not known, the chosen one. */
export const engineOf = ({ adapter, device, engine }: AppState): 'gpu' | 'cpu' =>
  device === 'ready' && adapter ? (adapter.cpu ? 'cpu' : 'gpu') : engine === 'cpu' ? 'cpu' : 'gpu';

/** Whether a processor's few cores compute, by the CPU engine or as a software renderer: large work takes minutes. */
export const isSlow = ({ adapter }: Pick<DeviceSlice, 'adapter'>): boolean =>
  adapter !== undefined && (adapter.cpu || adapter.software);

export const deviceSlice: Slice<DeviceSlice> = (set, get) => ({
  device: 'connecting',
  adapter: undefined,
  deviceError: undefined,
  crash: undefined,
  workers: 0,
  arrived: false,
  responds: true,
  gpuBusy: false,
  missingPart: undefined,
  readAbout: recall('read-about') ?? undefined,
  tightMemory: undefined,
  gpuTask: undefined,
  resumes: false,
  setDevice: (device, adapter, error) =>
    set((state) => ({ device, adapter: adapter ?? state.adapter, deviceError: error })),
  noteAdviceRead: () => {
    const readAbout = get().adapter?.description;
    if (readAbout === undefined) return;
    remember('read-about', readAbout);
    set({ readAbout });
  },
});
