/**
 * A simulated device that allocates nothing: all code runs on it as on a real one, and its ledger lists what would be
 * allocated. It has the limits and features of an adapter, so that all decisions are the same.
 */
import { Device, type AdapterInfo } from './device.ts';

/** The properties of a dry device; every device has them. */
export interface DryOptions {
  adapter: AdapterInfo;
  raw: Pick<GPUDevice, 'limits' | 'features'>;
  generation?: number;
}

/** Reading shader interfaces takes most of a dry device's time: similar devices share the results. */
const kernels = new WeakMap<DryOptions['raw'], Device['kernels']>();

/** Buffers read as zeros, and nothing is computed. */
export function dryDevice({ adapter, raw, generation }: DryOptions): Device {
  const made = { ...nothing(), limits: raw.limits, features: raw.features };
  const device = new Device(made as unknown as GPUDevice, adapter, generation, kernels.get(raw));
  kernels.set(raw, device.kernels);
  return device;
}

/** The calls that this program makes on a device, without effect. */
function nothing() {
  const nobody = () => undefined;
  const thing = () => ({});
  const pass = { setPipeline: nobody, setBindGroup: nobody, dispatchWorkgroups: nobody, end: nobody };
  const encoder = { beginComputePass: () => pass, copyBufferToBuffer: nobody, finish: thing };
  const done = () => Promise.resolve(undefined);
  return {
    lost: new Promise<GPUDeviceLostInfo>(nobody),
    addEventListener: nobody,
    destroy: nobody,
    pushErrorScope: nobody,
    popErrorScope: () => Promise.resolve(null),
    queue: { writeBuffer: nobody, submit: nobody, onSubmittedWorkDone: done },
    createBuffer: () => ({
      destroy: nobody,
      mapAsync: done,
      getMappedRange: (_: number, bytes: number) => new ArrayBuffer(bytes),
      unmap: nobody,
    }),
    createShaderModule: () => ({ getCompilationInfo: () => Promise.resolve({ messages: [] }) }),
    createBindGroupLayout: thing,
    createPipelineLayout: thing,
    createComputePipelineAsync: () => Promise.resolve({}),
    createBindGroup: thing,
    createCommandEncoder: () => encoder,
  };
}
