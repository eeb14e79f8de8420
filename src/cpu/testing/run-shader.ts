/** Runs WGSL programs of tests, on the processor or on any other WebGPU device. */
import { cpuGpu, type CpuOptions } from '../device/gpu.ts';

export interface ShaderRun {
  code: string;
  /** What binding 0, 1, ... of group 0 hold before, as words. */
  buffers: readonly (readonly number[] | Uint32Array)[];
  /** Along x, y and z. */
  workgroups?: readonly [x: number, y?: number, z?: number];
}

const GUARD = 0xdeadbeef;
/** Bytes before and behind a buffer: what bindings may start at. */
const GUARD_BYTES = 256;

/** A device on the processor. */
export async function openCpuDevice(options?: CpuOptions): Promise<GPUDevice> {
  const adapter = await cpuGpu(options).requestAdapter();
  if (!adapter) throw new Error('no adapter');
  return adapter.requestDevice();
}

/**
 * What the buffers hold afterwards, as words.
 * @throws Error with the compiler's messages, or if the program wrote before or behind a buffer
 */
export async function runShader(device: GPUDevice, run: ShaderRun): Promise<Uint32Array[]> {
  const { code, buffers, workgroups = [1] } = run;
  const module = device.createShaderModule({ code });
  const { messages } = await module.getCompilationInfo();
  const errors = messages.filter(({ type }) => type === 'error');
  if (errors.length > 0) throw new Error(errors.map((one) => `${one.lineNum}: ${one.message}`).join('\n'));
  const layout = device.createBindGroupLayout({
    entries: buffers.map((_, binding) => ({
      binding,
      visibility: GPUShaderStage.COMPUTE,
      buffer: { type: bindingType(code, binding) },
    })),
  });
  const pipeline = await device.createComputePipelineAsync({
    layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
    compute: { module, entryPoint: 'main' },
  });
  const { STORAGE, UNIFORM, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
  const made = buffers.map((words) => {
    const bytes = 4 * words.length;
    const size = Math.ceil(bytes / GUARD_BYTES) * GUARD_BYTES + 2 * GUARD_BYTES;
    const buffer = device.createBuffer({ size, usage: STORAGE | UNIFORM | COPY_SRC | COPY_DST });
    const contents = new Uint32Array(size / 4).fill(GUARD);
    contents.set(words, GUARD_BYTES / 4);
    device.queue.writeBuffer(buffer, 0, contents);
    return { buffer, bytes, copy: device.createBuffer({ size, usage: COPY_DST | MAP_READ }) };
  });
  const group = device.createBindGroup({
    layout,
    entries: made.map(({ buffer, bytes }, binding) => ({
      binding,
      resource: { buffer, offset: GUARD_BYTES, size: bytes },
    })),
  });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, group);
  pass.dispatchWorkgroups(...workgroups);
  pass.end();
  for (const { buffer, copy } of made) encoder.copyBufferToBuffer(buffer, 0, copy, 0, copy.size);
  device.queue.submit([encoder.finish()]);
  return Promise.all(
    made.map(async ({ buffer, bytes, copy }, binding) => {
      await copy.mapAsync(GPUMapMode.READ);
      const words = new Uint32Array(copy.getMappedRange().slice(0));
      buffer.destroy();
      copy.destroy();
      const [start, end] = [GUARD_BYTES / 4, (GUARD_BYTES + bytes) / 4];
      const isGuard = (word: number) => word === GUARD;
      if (!words.subarray(0, start).every(isGuard) || !words.subarray(end).every(isGuard))
        throw new Error(`binding ${binding} was written to out of its range`);
      return words.slice(start, end);
    }),
  );
}

/** As the shader declares it. */
function bindingType(code: string, binding: number): GPUBufferBindingType {
  const declared = new RegExp(String.raw`@binding\(${binding}\)\s*var<([^>]*)>`).exec(code)?.[1];
  if (declared === 'uniform') return 'uniform';
  return declared?.includes('read_write') ? 'storage' : 'read-only-storage';
}

const words = new DataView(new ArrayBuffer(4));

/** The bits of a float32. */
export function bits(value: number): number {
  words.setFloat32(0, value);
  return words.getUint32(0);
}
