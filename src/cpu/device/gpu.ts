/**
 * WebGPU on the processor: the part that wgrad uses, for compute shaders only. Kernels are compiled to WebAssembly
 * (src/cpu/compile), buffers lie in one WebAssembly memory, and a queue runs what is submitted.
 */
import { CPU_ARCHITECTURE } from '../../gpu/device.ts';
import { ARGS_HEADER, type CompiledKernel } from '../compile/kernel.ts';
import { CpuBuffer } from './buffer.ts';
import type { BindGroup, BoundRange, QueueCommand } from './commands.ts';
import { Memory } from './memory.ts';
import { requireWebAssembly } from './needs.ts';
import { CpuModule, CpuPipeline } from './pipeline.ts';
import { Queue } from './queue.ts';
import { describeThreads, Threads, type Spawn } from './threads.ts';

/** The limits of the adapter. Larger workgroups or more workgroup memory would not fit the processor's first cache. */
const LIMITS = {
  maxBufferSize: 2 ** 31 - 256,
  maxStorageBufferBindingSize: 2 ** 31 - 256,
  maxUniformBufferBindingSize: 65536,
  maxBindGroups: 4,
  maxBindingsPerBindGroup: 1000,
  maxStorageBuffersPerShaderStage: 16,
  maxUniformBuffersPerShaderStage: 12,
  maxDynamicUniformBuffersPerPipelineLayout: 8,
  maxDynamicStorageBuffersPerPipelineLayout: 4,
  minUniformBufferOffsetAlignment: 256,
  minStorageBufferOffsetAlignment: 256,
  maxComputeWorkgroupStorageSize: 32768,
  maxComputeInvocationsPerWorkgroup: 256,
  maxComputeWorkgroupSizeX: 256,
  maxComputeWorkgroupSizeY: 256,
  maxComputeWorkgroupSizeZ: 64,
  maxComputeWorkgroupsPerDimension: 65535,
};

/** The limits of a device that requests none: https://gpuweb.github.io/gpuweb/#limits */
const CORE_DEFAULTS = {
  ...LIMITS,
  maxBufferSize: 2 ** 28,
  maxStorageBufferBindingSize: 2 ** 27,
  maxStorageBuffersPerShaderStage: 8,
  maxComputeWorkgroupStorageSize: 16384,
};

const COMPATIBILITY_DEFAULTS = {
  ...CORE_DEFAULTS,
  maxUniformBufferBindingSize: 16384,
  maxComputeInvocationsPerWorkgroup: 128,
  maxComputeWorkgroupSizeX: 128,
  maxComputeWorkgroupSizeY: 128,
};

const INFO = { vendor: '', architecture: CPU_ARCHITECTURE, device: 'CPU', isFallbackAdapter: false };

/** WebGPU's flags, for browsers without them: https://www.w3.org/TR/webgpu/#buffer-usage */
const FLAGS = {
  GPUBufferUsage: {
    MAP_READ: 1,
    MAP_WRITE: 2,
    COPY_SRC: 4,
    COPY_DST: 8,
    INDEX: 16,
    VERTEX: 32,
    UNIFORM: 64,
    STORAGE: 128,
    INDIRECT: 256,
    QUERY_RESOLVE: 512,
  },
  GPUMapMode: { READ: 1, WRITE: 2 },
  GPUShaderStage: { VERTEX: 1, FRAGMENT: 2, COMPUTE: 4 },
};

export interface CpuOptions {
  /** Default 1. More need memory that threads share: in a browser, a page that is cross-origin isolated. */
  threads?: number;
  /** Starts the other threads. */
  spawn?: Spawn;
  /** For code to be tested, with one thread: a race in the memory of a workgroup, or a loop that does not end, loses the device. */
  watched?: boolean;
}

/**
 * The processor as a GPU. Each device has a memory and threads of its own; results do not depend on how many there are.
 * Asking for an adapter throws Failure('no-cpu-engine') where kernels cannot run.
 */
export function cpuGpu(options: CpuOptions = {}): GPU {
  for (const [name, flags] of Object.entries(FLAGS)) {
    // Writable: in Node, Dawn sets its own later.
    if (!(name in globalThis)) {
      Object.defineProperty(globalThis, name, { value: flags, writable: true, configurable: true });
    }
  }
  const features = new Set(['timestamp-query']);
  const adapterOf = ({ featureLevel }: GPURequestAdapterOptions = {}) => ({
    info: { ...INFO, description: `WebAssembly, ${describeThreads(options.threads ?? 1)}` },
    limits: LIMITS,
    features,
    requestDevice: ({ requiredLimits }: GPUDeviceDescriptor = {}) => {
      const defaults = featureLevel === 'compatibility' ? COMPATIBILITY_DEFAULTS : CORE_DEFAULTS;
      return Promise.resolve(new CpuDevice(features, { ...defaults, ...requiredLimits }, options));
    },
  });
  const requestAdapter = async (wanted?: GPURequestAdapterOptions) => {
    requireWebAssembly();
    return adapterOf(wanted);
  };
  return { requestAdapter } as unknown as GPU;
}

interface Layout {
  entries: readonly { binding: number; buffer?: { hasDynamicOffset?: boolean } }[];
}

interface BoundGroup {
  ranges: BindGroup;
  /** Bindings with a dynamic offset, in order. */
  dynamic: readonly number[];
}

interface Loss {
  reason: 'destroyed' | 'unknown';
  message: string;
}

type ErrorKind = 'validation' | 'out-of-memory' | 'internal';

/** The part of GPUDevice that wgrad uses. */
export class CpuDevice extends EventTarget {
  readonly lost: Promise<Loss>;
  readonly memory: Memory;
  private readonly threads: Threads;
  readonly queue: Queue;
  private readonly scopes: { kind: ErrorKind; error: { message: string } | null }[] = [];
  private lose!: (loss: Loss) => void;
  private readonly watched: boolean;

  constructor(
    readonly features: ReadonlySet<string>,
    readonly limits: Readonly<typeof LIMITS>,
    { threads = 1, spawn, watched = false }: CpuOptions,
  ) {
    super();
    this.lost = new Promise((resolve) => (this.lose = resolve));
    this.watched = watched;
    this.memory = new Memory(threads > 1);
    this.threads = new Threads(this.memory, threads, spawn);
    this.queue = new Queue(this.memory, this.threads, ({ message }) => this.fail(message));
  }

  destroy(): void {
    this.threads.destroy();
    this.queue.stop(new Error('the device was destroyed'));
    this.lose({ reason: 'destroyed', message: '' });
  }

  /** The device is lost: its results would be wrong from here on. */
  private fail(message: string): void {
    this.lose({ reason: 'unknown', message });
  }

  pushErrorScope(kind: ErrorKind): void {
    this.scopes.push({ kind, error: null });
  }

  popErrorScope(): Promise<{ message: string } | null> {
    return Promise.resolve(this.scopes.pop()?.error ?? null);
  }

  createBuffer({ label = '', size }: { label?: string; size: number }): CpuBuffer {
    const address = this.memory.take(size);
    if (address !== undefined) return new CpuBuffer(this.memory, this.queue, label, size, address);
    const scope = this.scopes.findLast(({ kind }) => kind === 'out-of-memory');
    const message = 'the memory of WebAssembly is full';
    if (scope) scope.error ??= { message };
    else this.fail(message);
    return new CpuBuffer(this.memory, this.queue, label, 0, 0);
  }

  createShaderModule({ code }: { code: string }): CpuModule {
    return new CpuModule(code, this.memory.shared, this.watched);
  }

  createBindGroupLayout(layout: Layout): Layout {
    return layout;
  }

  createPipelineLayout(): object {
    return {};
  }

  async createComputePipelineAsync({
    compute: { module },
  }: {
    compute: { module: CpuModule };
  }): Promise<CpuPipeline> {
    if (!module.compiled) throw new Error('the shader does not compile');
    this.requireWithinLimits(module.compiled);
    const pipeline = await CpuPipeline.create(module.compiled, this.memory);
    this.threads.add(pipeline);
    return pipeline;
  }

  private requireWithinLimits({ workgroup: [x, y, z], workgroupBytes }: CompiledKernel): void {
    const limits = [
      ['threads along x', x, this.limits.maxComputeWorkgroupSizeX],
      ['threads along y', y, this.limits.maxComputeWorkgroupSizeY],
      ['threads along z', z, this.limits.maxComputeWorkgroupSizeZ],
      ['threads', x * y * z, this.limits.maxComputeInvocationsPerWorkgroup],
      ['bytes of workgroup memory', workgroupBytes, this.limits.maxComputeWorkgroupStorageSize],
    ] as const;
    for (const [what, found, most] of limits) {
      if (found > most) throw new Error(`a workgroup of ${found} ${what}; this device allows ${most}`);
    }
  }

  createBindGroup({
    layout,
    entries,
  }: {
    layout: Layout;
    entries: readonly { binding: number; resource: { buffer: CpuBuffer; offset?: number; size?: number } }[];
  }): BoundGroup {
    const ranges = new Map(
      entries.map(({ binding, resource: { buffer, offset = 0, size = buffer.size - offset } }) => [
        binding,
        { buffer, offset, bytes: size },
      ]),
    );
    const dynamic = layout.entries
      .filter(({ buffer }) => buffer?.hasDynamicOffset)
      .map(({ binding }) => binding);
    return { ranges, dynamic };
  }

  createQuerySet({ count }: { count: number }): { times: BigUint64Array; destroy(): void } {
    return { times: new BigUint64Array(count), destroy: () => undefined };
  }

  createCommandEncoder(): CpuEncoder {
    return new CpuEncoder();
  }
}

interface TimestampWrites {
  querySet: { times: BigUint64Array };
  beginningOfPassWriteIndex?: number;
  endOfPassWriteIndex?: number;
}

class CpuEncoder {
  private readonly commands: QueueCommand[] = [];

  beginComputePass({ timestampWrites }: { timestampWrites?: TimestampWrites } = {}): CpuPass {
    const time = (index: number | undefined) => {
      if (timestampWrites && index !== undefined)
        this.commands.push({ kind: 'time', times: timestampWrites.querySet.times, index });
    };
    time(timestampWrites?.beginningOfPassWriteIndex);
    return new CpuPass(this.commands, () => time(timestampWrites?.endOfPassWriteIndex));
  }

  copyBufferToBuffer(from: CpuBuffer, start: number, to: CpuBuffer, at: number, bytes: number): void {
    this.commands.push({ kind: 'copy', from, start, to, at, bytes });
  }

  resolveQuerySet(
    { times }: { times: BigUint64Array },
    first: number,
    count: number,
    to: CpuBuffer,
    at: number,
  ): void {
    this.commands.push({ kind: 'resolve', times, first, count, to, at });
  }

  finish(): { commands: readonly QueueCommand[] } {
    return { commands: this.commands };
  }
}

class CpuPass {
  private pipeline: CpuPipeline | undefined;
  private readonly groups: { group: BoundGroup; offsets: readonly number[] }[] = [];

  constructor(
    private readonly commands: QueueCommand[],
    readonly end: () => void,
  ) {}

  setPipeline(pipeline: CpuPipeline): void {
    this.pipeline = pipeline;
  }

  setBindGroup(index: number, group: BoundGroup, offsets: readonly number[] = []): void {
    this.groups[index] = { group, offsets: [...offsets] };
  }

  dispatchWorkgroups(x: number, y = 1, z = 1): void {
    const { pipeline } = this;
    if (!pipeline) throw new Error('wgrad bug: a dispatch without a pipeline');
    const { bindings } = pipeline.compiled;
    const args = new Uint32Array(ARGS_HEADER + 2 * bindings.length);
    args.set([x, y, z]);
    bindings.forEach(({ group, binding }, i) => {
      const { buffer, offset, bytes } = this.range(group, binding);
      args.set([buffer.address + offset, bytes], ARGS_HEADER + 2 * i);
    });
    this.commands.push({ kind: 'dispatch', pipeline, args, workgroups: x * y * z });
  }

  private range(index: number, binding: number): BoundRange {
    const { group, offsets } = this.groups[index];
    const range = group.ranges.get(binding);
    if (!range) throw new Error(`wgrad bug: nothing is bound at ${index}, ${binding}`);
    const at = group.dynamic.indexOf(binding);
    return at < 0 ? range : { ...range, offset: range.offset + (offsets[at] ?? 0) };
  }
}
