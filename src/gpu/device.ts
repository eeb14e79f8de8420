/**
 * The GPU device. Nothing outside this folder names GPUDevice; what a device made carries its generation, and using it
 * after the device was lost throws instead of computing nothing.
 */
import { Ending } from '../base/ending.ts';
import { Failure } from '../base/result.ts';
import { KernelCache } from './kernels.ts';
import { BufferLedger } from './ledger.ts';
import { PromptQueue } from './prompt.ts';

/** https://github.com/gpuweb/gpuweb/blob/main/proposals/accepted/compatibility-mode.md */
export type FeatureLevel = 'core' | 'compatibility';

export interface AdapterInfo {
  vendor: string;
  architecture: string;
  /** For people: "NVIDIA H200", "SwiftShader (software)". */
  description: string;
  /** The driver with its version, if the browser reports it; otherwise "". */
  driver: string;
  /** True if there is no GPU behind it. */
  software: boolean;
  /** True if it is the processor itself: src/cpu. */
  cpu: boolean;
  /** Core WebGPU, or the part of it that older GPUs can do, with smaller workgroups and uniforms. */
  featureLevel: FeatureLevel;
  /** Whether its tensor cores can be used: subgroup matrices of 16x16x16, from 16 bits to 32. Tests emulate them. */
  matrices?: 'f16' | 'emulated';
  /** Whether subgroups of 32 threads, one after the other, add sums up: shaders/common/shuffled_sum.wgsl. */
  shuffles?: boolean;
  features: string[];
  limits: Record<string, number>;
}

export interface DeviceLoss {
  /** True if the program itself destroyed the device. */
  wanted: boolean;
  message: string;
}

/**
 * Limits worth more than the defaults that every adapter has, and the most of each that kernels make use of. Asked for
 * as far as the adapter goes.
 */
const RAISED_LIMITS = {
  maxBufferSize: Infinity,
  maxStorageBufferBindingSize: Infinity,
  // Core WebGPU's defaults, which compatibility mode can be below.
  maxUniformBufferBindingSize: 65536,
  maxStorageBuffersPerShaderStage: 8,
  maxComputeWorkgroupStorageSize: 65536,
  maxComputeInvocationsPerWorkgroup: 1024,
  maxComputeWorkgroupSizeX: 1024,
  maxComputeWorkgroupSizeY: 1024,
} as const;

type RaisedLimit = keyof typeof RAISED_LIMITS;

/**
 * Tensor cores: https://github.com/gpuweb/gpuweb/blob/main/proposals/subgroup-matrix.md. The name changes when the
 * proposal is accepted.
 */
const MATRICES = 'chromium-experimental-subgroup-matrix';

const WANTED_FEATURES = ['timestamp-query', 'shader-f16', 'subgroups', MATRICES] as const;

/** The architecture that src/cpu's adapter reports. */
export const CPU_ARCHITECTURE = 'webassembly';

let generations = 0;

export class Device {
  readonly ledger: BufferLedger;
  readonly kernels: KernelCache;
  readonly prompt: PromptQueue;
  /** Settles when the device is gone, for whatever reason. */
  readonly lost: Promise<DeviceLoss>;
  private readonly loss = new Ending<DeviceLoss>();
  private announceLoss!: (loss: DeviceLoss) => void;
  /** Errors that no scope caught: bugs, collected for tests. */
  readonly uncaught: string[] = [];

  constructor(
    /** Only for this folder and what it hands out. */
    readonly raw: GPUDevice,
    readonly adapter: AdapterInfo,
    /** Counts the devices this program has opened; a buffer or plan of an older one is stale. */
    readonly generation = ++generations,
    kernels?: KernelCache,
  ) {
    this.ledger = new BufferLedger(this);
    this.prompt = new PromptQueue(raw.queue);
    this.kernels = kernels ?? new KernelCache(this);
    this.lost = new Promise((announce) => (this.announceLoss = announce));
    void raw.lost.then(({ reason, message }) =>
      this.lose({ wanted: reason === 'destroyed', message: message || `the device was lost (${reason})` }),
    );
    raw.addEventListener('uncapturederror', (event) => {
      const { message } = event.error;
      // Dawn in Node would print it on standard output, among the results.
      event.preventDefault();
      this.uncaught.push(message);
      if (this.isLost) return;
      console.error(`wgrad: uncaught GPU error: ${message}`);
      // A command was not carried out, so every later result may be wrong.
      this.lose({ wanted: false, message: `a GPU command was refused: ${message}` });
      // Later, because Dawn reports from within a call, and would wait for itself.
      setTimeout(() => raw.destroy());
    });
  }

  private lose(loss: DeviceLoss): void {
    if (this.isLost) return;
    this.loss.happen(loss);
    this.announceLoss(loss);
  }

  get queue(): GPUQueue {
    return this.raw.queue;
  }

  /** Whether a processor's few cores compute, where thousands of threads need not be kept busy. */
  get onProcessor(): boolean {
    return this.adapter.software || this.adapter.cpu;
  }

  get isLost(): boolean {
    return this.loss.value !== undefined;
  }

  get hasTimestamps(): boolean {
    return this.raw.features.has('timestamp-query');
  }

  limit(name: RaisedLimit | 'maxComputeWorkgroupsPerDimension'): number {
    return this.raw.limits[name];
  }

  /**
   * Throws if the device is gone, also because it refused a command: from then on WebGPU's own calls look successful and
   * compute nothing.
   */
  requireAlive(): void {
    const loss = this.loss.value;
    if (loss) throw new Failure('device-lost', `The GPU device was lost: ${loss.message}`);
  }

  /** Waits until the GPU has done all that was submitted. */
  async idle(): Promise<void> {
    this.requireAlive();
    await this.loss.orElse(this.prompt.soon(this.raw.queue.onSubmittedWorkDone()));
    this.requireAlive();
  }

  /**
   * Runs `create` and throws a Failure if the device could not do it: 'out-of-memory' where memory ran out, else
   * 'shader', with `what` in front. `create` does not wait for anything: error scopes are one stack for the whole device,
   * so what is pushed here must be popped before other code runs.
   */
  async checked<T>(what: string, create: () => T): Promise<T> {
    this.requireAlive();
    this.raw.pushErrorScope('validation');
    this.raw.pushErrorScope('out-of-memory');
    let value: T;
    let scopes: Promise<[GPUError | null, GPUError | null]>;
    try {
      value = create();
    } finally {
      scopes = Promise.all([this.raw.popErrorScope(), this.raw.popErrorScope()]);
      // If `create` threw, they are not awaited.
      scopes.catch(() => undefined);
    }
    const [memory, validation] = await scopes.catch((error: unknown) => {
      this.requireAlive();
      throw error;
    });
    this.requireAlive();
    if (memory) {
      throw new Failure(
        'out-of-memory',
        `${what}: not enough memory (${memory.message})`,
        'Reduce the batch size, choose a smaller model, or close other tabs.',
      );
    }
    if (validation) throw new Failure('shader', `${what}: ${validation.message}`);
    return value;
  }

  destroy(): void {
    this.raw.destroy();
  }
}

/**
 * Which limits a device gets: those of its adapter, or the defaults of core WebGPU or of compatibility mode
 * (https://gpuweb.github.io/gpuweb/#limits). What runs with those of compatibility mode runs everywhere: workgroups of 128
 * threads and 16 KiB, uniforms of 16 KiB, 8 storage buffers, bindings of 128 MiB.
 */
export const LIMITS = ['adapter', 'default', 'compatibility'] as const;
export type Limits = (typeof LIMITS)[number];

/**
 * An adapter of core WebGPU; where there is none, or compatibility mode's limits are wanted, one of compatibility mode.
 * Browsers that do not know compatibility mode answer as if core had been asked for again.
 */
export async function requestAdapter(
  gpu: GPU,
  limits: Limits = 'adapter',
): Promise<{ adapter: GPUAdapter; featureLevel: FeatureLevel } | undefined> {
  const options = { powerPreference: 'high-performance' } as const;
  const ask = async (featureLevel: FeatureLevel) => {
    const adapter = await gpu.requestAdapter({ ...options, featureLevel });
    return adapter ? { adapter, featureLevel } : undefined;
  };
  if (limits === 'compatibility') return ask('compatibility');
  const core = await ask('core');
  if (core) return core;
  const compatible = await ask('compatibility');
  // Browsers may find a GPU late (src/worker/device/engines.ts), and it may have core WebGPU.
  return compatible && ((await ask('core')) ?? compatible);
}

/**
 * Opens a device on a fresh adapter (an adapter serves one device only). Throws Failure('no-webgpu') with advice.
 * @param gpu `navigator.gpu`, or Dawn's own in Node
 */
export async function openDevice(gpu: GPU | undefined, limits: Limits = 'adapter'): Promise<Device> {
  if (!gpu) {
    throw new Failure(
      'no-webgpu',
      'This browser does not support WebGPU.',
      'Use a current Chrome or Edge, Safari 26 or later, or Firefox 141 or later on Windows.',
    );
  }
  const found = await requestAdapter(gpu, limits);
  if (!found) {
    throw new Failure(
      'no-webgpu',
      'WebGPU is available, but no GPU was found.',
      'Update the graphics driver, turn on hardware acceleration in the browser, then restart the browser.',
    );
  }
  const { adapter, featureLevel } = found;
  const requiredLimits: Record<string, number> = {};
  if (limits === 'adapter') {
    for (const [name, most] of Object.entries(RAISED_LIMITS)) {
      requiredLimits[name] = Math.min(adapter.limits[name as RaisedLimit], most);
    }
  }
  const requiredFeatures = WANTED_FEATURES.filter((feature) =>
    adapter.features.has(feature),
  ) as GPUFeatureName[];
  try {
    const device = await adapter.requestDevice({ requiredLimits, requiredFeatures });
    return new Device(device, describe(adapter, featureLevel));
  } catch (error) {
    throw new Failure(
      'no-webgpu',
      `Could not open a GPU device: ${(error as Error).message}`,
      'Restart the browser and try again.',
    );
  }
}

function describe(adapter: GPUAdapter, featureLevel: FeatureLevel): AdapterInfo {
  const { vendor, architecture, description } = adapter.info;
  const cpu = architecture === CPU_ARCHITECTURE;
  const software =
    !cpu &&
    (adapter.info.isFallbackAdapter ||
      /swiftshader|llvmpipe|lavapipe|basic render/i.test(`${architecture} ${description}`));
  const note = cpu ? ` (${description})` : '';
  const limits: Record<string, number> = {};
  for (const name in adapter.limits) {
    const value = (adapter.limits as unknown as Record<string, unknown>)[name];
    if (typeof value === 'number') limits[name] = value;
  }
  return {
    vendor,
    architecture,
    description: software ? softwareName(adapter.info) : adapterName(adapter.info) + note,
    driver: cpu ? '' : description,
    software,
    cpu,
    featureLevel,
    ...(multipliesHalves(adapter) && { matrices: 'f16' }),
    ...(addsByShuffles(adapter) && { shuffles: true }),
    features: [...adapter.features].sort(),
    limits,
  };
}

/** What the proposal adds to GPUAdapterInfo. */
interface MatrixInfo {
  subgroupMatrixConfigs?: Iterable<{
    componentType: string;
    resultComponentType: string;
    M: number;
    N: number;
    K: number;
  }>;
}

/** Whether kernels can use its subgroup matrices: those of shaders/gemm/matrices.wgsl. */
function multipliesHalves({ features, info }: GPUAdapter): boolean {
  if (!features.has(MATRICES) || !features.has('shader-f16')) return false;
  if (info.subgroupMinSize !== 32 || info.subgroupMaxSize !== 32) return false;
  const { subgroupMatrixConfigs = [] } = info as MatrixInfo;
  return [...subgroupMatrixConfigs].some(
    ({ componentType, resultComponentType, M, N, K }) =>
      componentType === 'f16' && resultComponentType === 'f32' && M === 16 && N === 16 && K === 16,
  );
}

/**
 * WGSL does not say which threads a subgroup has. On NVIDIA they are 32 one after the other, and steps of small
 * networks take 1 to 5 % less of an H200's time (bench/NOTES.md); elsewhere it was not measured.
 */
const addsByShuffles = ({ features, info }: GPUAdapter): boolean =>
  features.has('subgroups') &&
  info.vendor === 'nvidia' &&
  info.subgroupMinSize === 32 &&
  info.subgroupMaxSize === 32;

const SPELLING: Record<string, string> = {
  nvidia: 'NVIDIA',
  amd: 'AMD',
  intel: 'Intel',
  apple: 'Apple',
  swiftshader: 'SwiftShader',
};

/** The adapter's name as people write it: "NVIDIA H200", or as much as the browser reports. */
export function adapterName({ vendor, architecture, device }: GPUAdapterInfo): string {
  if (architecture === 'swiftshader') return SPELLING.swiftshader;
  // Dawn calls the device by vendor and model, "nvidia-h200"; browsers keep the model to themselves.
  const words = (device || `${vendor} ${architecture}`).split(/[-\s]+/).filter(Boolean);
  const spelt = words.map((word) => SPELLING[word] ?? (/\d/.test(word) ? word.toUpperCase() : word));
  return spelt.join(' ') || UNNAMED;
}

/** What Firefox's are: it names none. */
const UNNAMED = 'unnamed GPU';

function softwareName(info: GPUAdapterInfo): string {
  const name = adapterName(info);
  return name === UNNAMED ? 'software rendering' : `${name} (software)`;
}
