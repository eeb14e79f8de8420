/**
 * A plan is a fixed list of dispatches with everything decided: pipelines, memory, bind groups, uniforms. It is built
 * once and then only encoded, so that a training step in the steady state creates nothing.
 */
import { assert } from '../base/assert.ts';
import { lazily } from '../base/lazily.ts';
import { Failure } from '../base/result.ts';
import { elements, type Shape } from '../base/shape.ts';
import type { Device } from '../gpu/device.ts';
import { packUniforms, takesTensor } from '../gpu/interface.ts';
import { STEP_GROUP, type Kernel, type KernelSource } from '../gpu/kernels.ts';
import { mebibytes, wholeBuffer, type BufferRange, type GpuBuffer } from '../gpu/ledger.ts';
import {
  bytesOf,
  grid,
  tensorBytes,
  type DispatchSpec,
  type Layout,
  type NumberType,
  type StepPart,
  type Storage,
  type Tensor,
  type Workgroups,
} from './dispatch.ts';
import { ALIGNMENT, planMemory, type MemoryPlan } from './memory.ts';
import { isPlaced, livenessOf, type Liveness, type Recorded } from './liveness.ts';
import { withTasks } from './tasks.ts';

export { grid, tensorBytes } from './dispatch.ts';
export type { DispatchSpec, NumberType, StepPart, Tensor, Workgroups } from './dispatch.ts';

const recomputing = lazily(() => import('./recompute.ts'));

/** A ring of per-step data: the plan's kernels see one slot of it in group 1. */
export interface StepRing {
  buffer: GpuBuffer;
  /** A multiple of 256. */
  slotBytes: number;
}

/** Elements per workgroup of shaders/common/elements.wgsl. */
export const ELEMENTS = 256;

/** Workgroups for `count` elements. */
export const elementGrid = (count: number): Workgroups => grid(count, ELEMENTS);

export class PlanBuilder {
  private readonly dispatches: DispatchSpec[] = [];
  private readonly kept = new Set<Storage>();
  private part: StepPart | undefined;

  /** @param name the owner of the memory, for errors and the memory estimate */
  constructor(
    readonly device: Device,
    private readonly name = 'plan',
  ) {}

  /** A tensor that the plan allocates. */
  tensor(label: string, shape: Shape, type: NumberType = 'f32', layout: Layout = 'nchw'): Tensor {
    return { label, shape, type, layout, storage: { label, bytes: tensorBytes({ shape, type }) } };
  }

  /** A tensor of the type and the layout of `like`, and its shape unless another is given. */
  tensorLike(label: string, { shape, type, layout }: Tensor, own = shape): Tensor {
    return this.tensor(label, own, type, layout);
  }

  /** A read-only table, for a binding such as array<u32>. */
  constant(label: string, contents: Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer>): Tensor {
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

  /** Keeps `tensor` live until the next run, so that it can be read back. */
  keep(tensor: Tensor): void {
    this.kept.add(tensor.storage);
  }

  dispatch(spec: DispatchSpec): void {
    this.dispatches.push(this.part ? { ...spec, part: this.part } : spec);
  }

  /** Sets the owner of the dispatches that `build` adds. */
  during<T>(part: StepPart, build: () => T): T {
    const before = this.part;
    this.part = part;
    try {
      return build();
    } finally {
      this.part = before;
    }
  }

  /** What was added so far. */
  get added(): readonly DispatchSpec[] {
    return this.dispatches;
  }

  /** The sources of the pipelines, one per dispatch. */
  get kernels(): readonly KernelSource[] {
    return this.dispatches.map((spec) => spec.kernel);
  }

  /** How many dispatches there are so far. */
  get length(): number {
    return this.dispatches.length;
  }

  /**
   * Compiles all pipelines in parallel, places the tensors and creates the bind groups.
   * @param limit bytes of memory for tensors: if they need more, some outputs of the forward pass are recomputed in the
   *   backward pass, as few as needed to fit. If nothing fits, memory is made as small as possible. Default: none
   * @param within another plan whose memory this one uses first: what this one preserves lasts until either plan runs.
   *   What the other preserves is not touched
   * @throws Failure('out-of-memory') if a tensor is larger than a binding of this GPU, or memory runs out
   */
  async compile(
    step?: StepRing,
    { limit = Infinity, within }: { limit?: number | undefined; within?: Plan } = {},
  ): Promise<Plan> {
    // Compiling takes longest: what cannot fit is refused before.
    this.requireBindable();
    const kernels = await Promise.all(this.dispatches.map((spec) => this.device.kernels.get(spec.kernel)));
    const each = this.dispatches.map((spec, i): Recorded<Kernel> => ({ spec, kernel: kernels[i] }));
    const recorded = await this.fitted(each, limit);
    const owned: GpuBuffer[] = [];
    try {
      const { ranges, slabs } = await this.allocate(recorded, owned, within?.slabs);
      const uniforms = await this.uniformBuffer(recorded, owned);
      const encoded = await this.bind(recorded, ranges, uniforms, step);
      return new Plan(this.device, encoded, ranges, slabs, owned);
    } catch (error) {
      // If memory ran out halfway, free what was allocated, for a smaller plan.
      for (const buffer of owned) buffer.destroy();
      throw error;
    }
  }

  private requireBindable(): void {
    const limit = this.device.limit('maxStorageBufferBindingSize');
    for (const { tensors } of this.dispatches) {
      for (const { storage } of Object.values(tensors))
        if (isPlaced(storage)) requireBindable(storage.label, storage.bytes, limit);
    }
  }

  /** The dispatches, with tasks put together; if the tensors do not fit then, with recomputation instead. */
  private async fitted(
    each: readonly Recorded<Kernel>[],
    limit: number,
  ): Promise<readonly Recorded<Kernel>[]> {
    const binding = this.device.limit('maxStorageBufferBindingSize');
    const bytesOfAll = (steps: readonly Recorded[]) =>
      this.place(livenessOf(steps, this.kept)).slabs.reduce((sum, bytes) => sum + bytes, 0);
    const all = withTasks(each, this.kept, binding);
    if (limit === Infinity || bytesOfAll(all) <= limit) return all;
    const { recompute } = await recomputing();
    return recompute(withTasks(each, this.kept, binding, true), this.kept, limit, bytesOfAll);
  }

  private bind(
    recorded: readonly Recorded<Kernel>[],
    ranges: ReadonlyMap<Storage, BufferRange>,
    uniforms: GpuBuffer,
    step: StepRing | undefined,
  ): Promise<EncodedDispatch[]> {
    const { device } = this;
    for (const { spec } of recorded) this.requireWithinLimits(spec, ranges);
    const stepGroups = new Map<GPUBindGroupLayout, GPUBindGroup>();
    return device.checked('bind groups', () =>
      recorded.map(({ spec, kernel }, i) => {
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
        const { label, workgroups, part, flop = 0, bytes = bytesOf(spec.tensors), recomputed = false } = spec;
        return {
          label,
          kernel,
          bind,
          stepGroup,
          workgroups,
          flop,
          bytes,
          recomputed,
          ...(part ? { part } : {}),
        };
      }),
    );
  }

  /** WebGPU would refuse the whole submission, and say so to nobody. */
  private requireWithinLimits(
    { label, tensors, workgroups }: DispatchSpec,
    ranges: ReadonlyMap<Storage, BufferRange>,
  ): void {
    const binding = this.device.limit('maxStorageBufferBindingSize');
    for (const tensor of Object.values(tensors))
      requireBindable(tensor.label, ranges.get(tensor.storage)?.bytes ?? 0, binding);
    const most = this.device.limit('maxComputeWorkgroupsPerDimension');
    const wrong = workgroups.find((count) => !(count >= 1 && count <= most));
    if (wrong === undefined) return;
    throw new Failure(
      'unsupported',
      `${label} needs ${workgroups.join(' x ')} workgroups; this device allows 1 to ${most} in each dimension`,
      'Choose a smaller batch size or model.',
    );
  }

  /** Decides where tensors lie, without allocating. */
  private place({ lifetimes, apart }: Liveness, given: readonly Slab[] = []): MemoryPlan {
    const binding = this.device.limit('maxStorageBufferBindingSize');
    const there = given.map(({ buffer, held }) => ({ bytes: buffer.bytes, held }));
    return planMemory(lifetimes, apart, Math.min(this.device.limit('maxBufferSize'), binding), there);
  }

  /** @param owned receives every buffer created here, immediately */
  private async allocate(
    recorded: readonly Recorded[],
    owned: GpuBuffer[],
    given: readonly Slab[] = [],
  ): Promise<{ ranges: Map<Storage, BufferRange>; slabs: Slab[] }> {
    const { ledger } = this.device;
    const own = async (buffer: Promise<GpuBuffer>): Promise<GpuBuffer> => {
      owned.push(await buffer);
      return buffer;
    };
    const lives = livenessOf(recorded, this.kept);
    const { places, slabs } = this.place(lives, given);
    const ranges = new Map<Storage, BufferRange>();
    const used = new Set(recorded.flatMap(({ spec }) => Object.values(spec.tensors).map((t) => t.storage)));
    for (const storage of used) {
      const { home, contents, label } = storage;
      if (home) ranges.set(storage, home);
      else if (contents) ranges.set(storage, wholeBuffer(await own(ledger.upload(label, contents))));
    }
    const buffers = given.map(({ buffer }) => buffer);
    for (const bytes of slabs.slice(given.length)) {
      const label = `${this.name} activations ${buffers.length}`;
      buffers.push(await own(ledger.storage(label, bytes, GPUBufferUsage.UNIFORM)));
    }
    lives.storages.forEach((storage, i) => {
      const { slab, offset } = places[i];
      ranges.set(storage, { buffer: buffers[slab], offset, bytes: Math.max(4, storage.bytes) });
    });
    for (const storage of used) {
      const { within, bytes } = storage;
      const whole = within && ranges.get(within.storage);
      if (whole) ranges.set(storage, { ...whole, offset: whole.offset + within.offset, bytes });
    }
    const held = [...this.kept].flatMap((storage) => ranges.get(storage) ?? []);
    return {
      ranges,
      slabs: buffers.map((buffer) => ({ buffer, held: held.filter((range) => range.buffer === buffer) })),
    };
  }

  private async uniformBuffer(recorded: readonly Recorded<Kernel>[], owned: GpuBuffer[]): Promise<GpuBuffer> {
    const bytes = new Uint8Array(Math.max(1, recorded.length) * ALIGNMENT);
    recorded.forEach(({ spec: { label, uniforms = {} }, kernel: { interface: shape } }, i) => {
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

function requireBindable(label: string, bytes: number, limit: number): void {
  if (bytes <= limit) return;
  throw new Failure(
    'out-of-memory',
    `tensor "${label}" needs ${mebibytes(bytes)}; this device allows ${mebibytes(limit)} per tensor`,
    'Choose a smaller batch size or model.',
  );
}

/** A tensor in memory that something outside the plan owns. */
export function placed(label: string, shape: Shape, home: BufferRange, type: NumberType = 'f32'): Tensor {
  const bytes = tensorBytes({ shape, type });
  assert(home.bytes >= bytes, `${label} does not fit its place`);
  return { label, shape, type, storage: { label, bytes, home } };
}

/** A tensor that fills its own buffer. */
export const placedIn = (buffer: GpuBuffer, shape: Shape, type?: NumberType): Tensor =>
  placed(buffer.label, shape, wholeBuffer(buffer), type);

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
    `${spec.label}: kernel ${kernel.source.shader} binds ${names.join(', ')}; mismatch at ${wrong.join(', ')}`,
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
  readonly part?: StepPart;
  /** FLOP; 0 if there are none. */
  readonly flop: number;
  /** Bytes that it reads and writes at least. */
  readonly bytes: number;
  /** Whether it recomputes activations. */
  readonly recomputed: boolean;
}

/** The part of GPUComputePassEncoder that a plan calls. */
export type PassCalls = Pick<GPUComputePassEncoder, 'setPipeline' | 'setBindGroup' | 'dispatchWorkgroups'>;

/** A part of a plan's memory, and what in it must last until the next run. */
interface Slab {
  buffer: GpuBuffer;
  held: readonly BufferRange[];
}

export class Plan {
  constructor(
    readonly device: Device,
    readonly dispatches: readonly EncodedDispatch[],
    private readonly ranges: ReadonlyMap<Storage, BufferRange>,
    /** Its own and its shared memory. */
    readonly slabs: readonly Slab[],
    private readonly owned: readonly GpuBuffer[],
  ) {}

  /** Bytes on the GPU that only this plan uses. */
  get bytes(): number {
    return this.owned.reduce((sum, buffer) => sum + buffer.bytes, 0);
  }

  /** Where a tensor lies that the plan reads or writes. */
  rangeOf(tensor: Tensor): BufferRange {
    const range = tensor.storage.home ?? this.ranges.get(tensor.storage);
    assert(range !== undefined, `the plan has no tensor ${tensor.label}`);
    return { ...range, bytes: tensorBytes(tensor) };
  }

  /**
   * @param stepOffset bytes into the step ring where this step's slot starts
   * @param dispatches the plan's, or some of them for a profile
   */
  encode(pass: PassCalls, stepOffset = 0, dispatches = this.dispatches): void {
    let pipeline: GPUComputePipeline | undefined;
    let group: GPUBindGroup | undefined;
    const offsets = [stepOffset];
    for (const { kernel, bind, stepGroup, workgroups } of dispatches) {
      if (kernel.pipeline !== pipeline) pass.setPipeline((pipeline = kernel.pipeline));
      pass.setBindGroup(0, bind);
      if (stepGroup && stepGroup !== group) pass.setBindGroup(STEP_GROUP, (group = stepGroup), offsets);
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
