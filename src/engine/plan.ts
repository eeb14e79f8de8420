/**
 * A plan is a fixed list of dispatches with everything decided: pipelines, memory, bind groups, uniforms. It is built
 * once and then only encoded, so that a training step in the steady state creates nothing.
 */
import { assert } from '../base/assert.ts';
import { elements, type Shape } from '../base/shape.ts';
import type { Device } from '../gpu/device.ts';
import { packUniforms, takesTensor } from '../gpu/interface.ts';
import { STEP_GROUP, type Kernel, type KernelSource } from '../gpu/kernels.ts';
import { wholeBuffer, type BufferRange, type GpuBuffer } from '../gpu/ledger.ts';
import { ALIGNMENT, planMemory, type Lifetime } from './memory.ts';

/** How a tensor's numbers are stored. f16 is for GPUs with the feature shader-f16. */
export type NumberType = 'f32' | 'f16';

const BYTES: Readonly<Record<NumberType, number>> = { f32: 4, f16: 2 };

/** Numbers on the GPU: a name for memory that a plan places, or that is already there. */
export interface Tensor {
  readonly label: string;
  readonly shape: Shape;
  readonly type: NumberType;
  /** What lies in memory: tensors that are views of one another have the same. */
  readonly storage: Storage;
}

interface Storage {
  readonly label: string;
  readonly bytes: number;
  /** Set for memory from outside the plan. */
  readonly home?: BufferRange;
  /** Set for what is written once, when the plan is compiled. */
  readonly contents?: Uint32Array<ArrayBuffer>;
}

/** Bytes that a uniform array may have on every adapter. */
export const MAX_UNIFORM_BYTES = 65536;

/** Bytes of a tensor. */
export const tensorBytes = ({ shape, type }: Pick<Tensor, 'shape' | 'type'>): number =>
  elements(shape) * BYTES[type];

export type Workgroups = readonly [x: number, y: number, z: number];

/** What a dispatch belongs to: a pass of a training step, and in it a layer. */
export interface Part {
  pass: 'data' | 'forward' | 'loss' | 'backward' | 'update';
  /** The layer's name. */
  layer?: string;
}

export interface DispatchSpec {
  /** For profiles and errors: "conv1 fprop". */
  label: string;
  kernel: KernelSource;
  /**
   * A tensor for every storage binding of group 0, by its name in the shader, and for every uniform that is an array: a
   * tensor of the plan, as long as the array or longer, and at most MAX_UNIFORM_BYTES.
   */
  tensors: Readonly<Record<string, Tensor>>;
  /** A number for every member of the shader's uniform struct. */
  uniforms?: Readonly<Record<string, number>>;
  workgroups: Workgroups;
  /** For profiles: of its sums of products, a product and a sum being two. Absent where there are none. */
  flop?: number;
  /** For profiles: what it reads and writes at least. Default: each of its tensors once. */
  bytes?: number;
}

/** A ring of per-step data: the plan's kernels see one slot of it in group 1. */
export interface StepRing {
  buffer: GpuBuffer;
  /** A multiple of 256. */
  slotBytes: number;
}

/** Workgroups for `count` items, `size` a workgroup, folded where one dimension would be too long. See common/index.wgsl. */
export function grid(count: number, size: number): Workgroups {
  const groups = Math.max(1, Math.ceil(count / size));
  const x = Math.min(groups, 65535);
  return [x, Math.ceil(groups / x), 1];
}

export class PlanBuilder {
  private readonly dispatches: (DispatchSpec & { part?: Part })[] = [];
  private readonly kept = new Set<Storage>();
  private part: Part | undefined;

  /** @param name whose memory it is, in errors and in what a run needs */
  constructor(
    readonly device: Device,
    private readonly name = 'plan',
  ) {}

  /** A tensor that the plan finds a place for. */
  tensor(label: string, shape: Shape, type: NumberType = 'f32'): Tensor {
    return { label, shape, type, storage: { label, bytes: tensorBytes({ shape, type }) } };
  }

  /** A table that kernels read and nobody writes. A binding of type array<u32> or the like. */
  constant(label: string, contents: Uint32Array<ArrayBuffer>): Tensor {
    const shape = [contents.length];
    return { label, shape, type: 'f32', storage: { label, bytes: contents.byteLength, contents } };
  }

  /** The same memory with another shape. */
  view(tensor: Tensor, shape: Shape): Tensor {
    assert(
      elements(shape) === elements(tensor.shape),
      `view of ${tensor.label} with another number of elements`,
    );
    return { ...tensor, shape };
  }

  /** Keeps what the plan last wrote to `tensor` until the next run, so that it can be read back. */
  keep(tensor: Tensor): void {
    this.kept.add(tensor.storage);
  }

  dispatch(spec: DispatchSpec): void {
    this.dispatches.push(this.part ? { ...spec, part: this.part } : spec);
  }

  /** Says what the dispatches that `build` adds belong to. */
  during<T>(part: Part, build: () => T): T {
    const before = this.part;
    this.part = part;
    try {
      return build();
    } finally {
      this.part = before;
    }
  }

  /** What the pipelines are made from, a dispatch each. */
  get kernels(): readonly KernelSource[] {
    return this.dispatches.map((spec) => spec.kernel);
  }

  /** How many dispatches there are so far. */
  get length(): number {
    return this.dispatches.length;
  }

  /** Compiles all pipelines (at once, in parallel), places the tensors and makes the bind groups. */
  async compile(step?: StepRing): Promise<Plan> {
    const kernels = await Promise.all(this.dispatches.map((spec) => this.device.kernels.get(spec.kernel)));
    const owned: GpuBuffer[] = [];
    try {
      const ranges = await this.place(kernels, owned);
      const encoded = await this.bind(kernels, ranges, await this.uniformBuffer(kernels, owned), step);
      return new Plan(this.device, encoded, ranges, owned);
    } catch (error) {
      // Where memory ran out halfway, what there was of it is free for a smaller plan.
      for (const buffer of owned) buffer.destroy();
      throw error;
    }
  }

  private bind(
    kernels: readonly Kernel[],
    ranges: ReadonlyMap<Storage, BufferRange>,
    uniforms: GpuBuffer,
    step: StepRing | undefined,
  ): Promise<EncodedDispatch[]> {
    const { device } = this;
    const stepGroups = new Map<GPUBindGroupLayout, GPUBindGroup>();
    return device.checked('bind groups', () =>
      this.dispatches.map((spec, i) => {
        const kernel = kernels[i];
        const bind = device.raw.createBindGroup({
          label: spec.label,
          layout: kernel.layouts[0],
          entries: entriesOf(spec, kernel, ranges, {
            buffer: uniforms,
            offset: i * ALIGNMENT,
            bytes: ALIGNMENT,
          }),
        });
        let stepGroup: GPUBindGroup | undefined;
        const stepLayout = kernel.layouts[STEP_GROUP];
        if (stepLayout) {
          assert(step !== undefined, `${spec.label} reads per-step data, but the plan has none`);
          stepGroup = stepGroups.get(stepLayout);
          stepGroup ??= device.raw.createBindGroup({
            layout: stepLayout,
            entries: [{ binding: 0, resource: { buffer: step.buffer.raw, size: step.slotBytes } }],
          });
          stepGroups.set(stepLayout, stepGroup);
        }
        const { label, workgroups, part, flop = 0, bytes = bytesOf(spec.tensors) } = spec;
        return { ...{ label, kernel, bind, stepGroup, workgroups, flop, bytes }, ...(part ? { part } : {}) };
      }),
    );
  }

  /** @param owned gets every buffer made here, as soon as it is */
  private async place(kernels: readonly Kernel[], owned: GpuBuffer[]): Promise<Map<Storage, BufferRange>> {
    const ranges = new Map<Storage, BufferRange>();
    const index = new Map<Storage, number>();
    const lifetimes: Lifetime[] = [];
    const apart: Set<number>[] = [];
    const tables = new Set<Storage>();
    this.dispatches.forEach((spec, time) => {
      const written: number[] = [];
      const read: number[] = [];
      for (const [name, tensor] of Object.entries(spec.tensors)) {
        const { storage } = tensor;
        if (storage.home) {
          ranges.set(storage, storage.home);
          continue;
        }
        if (storage.contents) {
          tables.add(storage);
          continue;
        }
        let i = index.get(storage);
        if (i === undefined) {
          i = lifetimes.length;
          index.set(storage, i);
          lifetimes.push({ bytes: storage.bytes, first: time, last: time });
          apart.push(new Set());
        }
        lifetimes[i].last = this.kept.has(storage) ? this.dispatches.length : time;
        const kind = kernels[time].interface.bindings.find((b) => b.group === 0 && b.name === name)?.kind;
        (kind === 'read_write' ? written : read).push(i);
      }
      for (const w of written) {
        for (const r of read) {
          assert(w !== r, `${spec.label} reads and writes one tensor through two bindings`);
          apart[w].add(r);
          apart[r].add(w);
        }
      }
    });
    for (const storage of tables) {
      const buffer = await this.device.ledger.upload(
        storage.label,
        storage.contents as Uint32Array<ArrayBuffer>,
      );
      owned.push(buffer);
      ranges.set(storage, wholeBuffer(buffer));
    }
    const limit = Math.min(
      this.device.limit('maxBufferSize'),
      this.device.limit('maxStorageBufferBindingSize'),
    );
    const plan = planMemory(lifetimes, apart, limit);
    const slabs: GpuBuffer[] = [];
    for (const [i, bytes] of plan.slabs.entries()) {
      slabs.push(
        await this.device.ledger.storage(`${this.name} activations ${i}`, bytes, GPUBufferUsage.UNIFORM),
      );
      owned.push(slabs[i]);
    }
    for (const [storage, i] of index) {
      const { slab, offset } = plan.places[i];
      ranges.set(storage, { buffer: slabs[slab], offset, bytes: Math.max(4, storage.bytes) });
    }
    return ranges;
  }

  private async uniformBuffer(kernels: readonly Kernel[], owned: GpuBuffer[]): Promise<GpuBuffer> {
    const bytes = new Uint8Array(Math.max(1, this.dispatches.length) * ALIGNMENT);
    this.dispatches.forEach(({ label, uniforms = {} }, i) => {
      const shape = kernels[i].interface;
      const binding = shape.bindings.find((b) => !takesTensor(shape, b));
      const members = binding ? (shape.structs.get(binding.type) ?? []) : [];
      const packed = packUniforms(label, members, uniforms);
      bytes.set(new Uint8Array(packed), i * ALIGNMENT);
    });
    const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
    const buffer = await this.device.ledger.create('uniforms', bytes.byteLength, usage);
    owned.push(buffer);
    this.device.queue.writeBuffer(buffer.raw, 0, bytes);
    return buffer;
  }
}

/** A tensor in memory that something outside the plan owns. */
export function placed(label: string, shape: Shape, home: BufferRange, type: NumberType = 'f32'): Tensor {
  const bytes = tensorBytes({ shape, type });
  assert(home.bytes >= bytes, `${label} does not fit its place`);
  return { label, shape, type, storage: { label, bytes, home } };
}

/** A tensor that fills a buffer of its own. */
export const placedIn = (buffer: GpuBuffer, shape: Shape, type?: NumberType): Tensor =>
  placed(buffer.label, shape, wholeBuffer(buffer), type);

/** Bytes of all tensors, views of one another counted once. */
function bytesOf(tensors: DispatchSpec['tensors']): number {
  const largest = new Map<Storage, number>();
  for (const tensor of Object.values(tensors))
    largest.set(tensor.storage, Math.max(tensorBytes(tensor), largest.get(tensor.storage) ?? 0));
  return [...largest.values()].reduce((sum, bytes) => sum + bytes, 0);
}

function entriesOf(
  spec: DispatchSpec,
  kernel: Kernel,
  ranges: ReadonlyMap<Storage, BufferRange>,
  uniforms: BufferRange,
): GPUBindGroupEntry[] {
  const own = kernel.interface.bindings.filter((b) => b.group === 0);
  const names = own.filter((b) => takesTensor(kernel.interface, b)).map((b) => b.name);
  const given = Object.keys(spec.tensors);
  const wrong = [...names.filter((n) => !given.includes(n)), ...given.filter((n) => !names.includes(n))];
  assert(
    wrong.length === 0,
    `${spec.label}: shaders/${kernel.source.shader}.wgsl binds ${names.join(', ')}; mismatch at ${wrong.join(', ')}`,
  );
  return own.map((b) => {
    if (!takesTensor(kernel.interface, b)) {
      return {
        binding: b.binding,
        resource: { buffer: uniforms.buffer.raw, offset: uniforms.offset, size: uniforms.bytes },
      };
    }
    const range = ranges.get(spec.tensors[b.name].storage) as BufferRange;
    return {
      binding: b.binding,
      resource: { buffer: range.buffer.raw, offset: range.offset, size: Math.ceil(range.bytes / 4) * 4 },
    };
  });
}

export interface EncodedDispatch {
  readonly label: string;
  readonly kernel: Kernel;
  readonly bind: GPUBindGroup;
  readonly stepGroup: GPUBindGroup | undefined;
  readonly workgroups: Workgroups;
  readonly part?: Part;
  /** Of its sums of products; 0 where there are none. */
  readonly flop: number;
  /** That it reads and writes at least. */
  readonly bytes: number;
}

/** What of a pass a plan calls. */
export type PassCalls = Pick<GPUComputePassEncoder, 'setPipeline' | 'setBindGroup' | 'dispatchWorkgroups'>;

export class Plan {
  constructor(
    readonly device: Device,
    readonly dispatches: readonly EncodedDispatch[],
    private readonly ranges: ReadonlyMap<Storage, BufferRange>,
    private readonly owned: readonly GpuBuffer[],
  ) {}

  /** Bytes on the GPU that only this plan uses. */
  get bytes(): number {
    return this.owned.reduce((sum, buffer) => sum + buffer.bytes, 0);
  }

  /** Where a tensor of the plan lies. */
  rangeOf(tensor: Tensor): BufferRange {
    const range = this.ranges.get(tensor.storage);
    assert(range !== undefined, `the plan has no tensor ${tensor.label}`);
    return { ...range, bytes: tensorBytes(tensor) };
  }

  /**
   * @param stepOffset bytes into the step ring where this step's slot begins
   * @param dispatches the plan's, or some of them for a profile
   */
  encode(pass: PassCalls, stepOffset = 0, dispatches = this.dispatches): void {
    let pipeline: GPUComputePipeline | undefined;
    const offsets = [stepOffset];
    for (const { kernel, bind, stepGroup, workgroups } of dispatches) {
      if (kernel.pipeline !== pipeline) pass.setPipeline((pipeline = kernel.pipeline));
      pass.setBindGroup(0, bind);
      if (stepGroup) pass.setBindGroup(STEP_GROUP, stepGroup, offsets);
      pass.dispatchWorkgroups(workgroups[0], workgroups[1], workgroups[2]);
    }
  }

  /** Encodes and submits the plan once, as one command buffer. */
  run(stepOffset = 0): void {
    this.device.requireAlive();
    const encoder = this.device.raw.createCommandEncoder();
    const pass = encoder.beginComputePass();
    this.encode(pass, stepOffset);
    pass.end();
    this.device.queue.submit([encoder.finish()]);
  }

  destroy(): void {
    for (const buffer of this.owned) buffer.destroy();
  }
}
