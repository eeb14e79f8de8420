import type { Slice } from './slice.ts';

export interface GpuTaskSlice {
  /** The screen whose task has the GPU to itself now: nothing trains meanwhile. */
  gpuTask: 'lab' | 'profile' | 'doctor' | undefined;
  setGpuTask(task: GpuTaskSlice['gpuTask']): void;
}

export const gpuTaskSlice: Slice<GpuTaskSlice> = (set) => ({
  gpuTask: undefined,
  setGpuTask: (gpuTask) => set({ gpuTask }),
});
