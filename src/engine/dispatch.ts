/** What a plan is made of: tensors, and dispatches of kernels over them. */
import { elements, type Shape } from '../base/shape.ts';
import type { KernelSource } from '../gpu/kernels.ts';
import type { BufferRange } from '../gpu/ledger.ts';
import type { Work } from './cost.ts';

/** How a tensor's values are stored. f16 requires the feature shader-f16. */
export type NumberType = 'f32' | 'f16';

const BYTES: Readonly<Record<NumberType, number>> = { f32: 4, f16: 2 };

/**
 * Where values of images and filters lie in memory. NCHW: images [N, C, H, W], filters [K, C / groups, R, S], as in PyTorch.
 * NHWC: images [N, H, W, C], filters [K, R, S, C / groups], as in cuDNN's NHWC and PyTorch's channels_last.
 */
export const LAYOUTS = ['nchw', 'nhwc'] as const;

export type Layout = (typeof LAYOUTS)[number];

/** Values on the GPU: memory that a plan places, or that exists already. */
export interface Tensor {
  readonly label: string;
  /** In PyTorch's order, whatever the layout. */
  readonly shape: Shape;
  readonly type: NumberType;
  /** Of images and filters. Default: NCHW. */
  readonly layout?: Layout;
  /** The memory itself: views of one another share it. */
  readonly storage: Storage;
}

export interface Storage {
  readonly label: string;
  readonly bytes: number;
  /** Set for memory from outside the plan. */
  readonly home?: BufferRange;
  /** Set for tables that are written once, when the plan is compiled. */
  readonly contents?: Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer>;
  /** Set for memory that is a part of other memory of the plan, from a byte on: a multiple of 256. */
  readonly within?: { readonly storage: Storage; readonly offset: number };
}

/** The memory that a plan places for it: its own, or what it is a part of. */
export const wholeOf = (storage: Storage): Storage => storage.within?.storage ?? storage;

/** Bytes of a tensor. */
export const tensorBytes = ({ shape, type }: Pick<Tensor, 'shape' | 'type'>): number =>
  elements(shape) * BYTES[type];

export type Workgroups = readonly [x: number, y: number, z: number];

/**
 * Workgroups for `count` items, `size` per workgroup, folded into two dimensions if one would be too long. See
 * common/index.wgsl.
 */
export function grid(count: number, size: number): Workgroups {
  const groups = Math.max(1, Math.ceil(count / size));
  const x = Math.min(groups, 65535);
  return [x, Math.ceil(groups / x), 1];
}

/** What a dispatch belongs to: a pass of a training step, and a layer in it. */
export interface StepPart {
  pass: 'data' | 'forward' | 'loss' | 'backward' | 'update';
  /** The layer's name. */
  layer?: string;
}

/** Work with workgroups of its own in a dispatch of tasks: see tasks.ts. */
export interface Task {
  readonly input: Tensor;
  /** The first value of `input` that it reads. Default 0. */
  readonly from?: number;
  readonly output: Tensor;
  /** Workgroups. */
  readonly groups: number;
  /** What its kernel must know besides, as u32. */
  readonly numbers: readonly number[];
}

export interface DispatchSpec {
  /** For profiles and errors: "conv1 fprop". */
  label: string;
  kernel: KernelSource;
  /**
   * A tensor for every storage binding of group 0, by its name in the shader, and for every uniform that is an array.
   * The latter is a tensor of the plan, at least as long as the array and at most the device's maxUniformBufferBindingSize.
   */
  tensors: Readonly<Record<string, Tensor>>;
  /** A number for every member of the shader's uniform struct. */
  uniforms?: Readonly<Record<string, number>>;
  workgroups: Workgroups;
  /** Set if the kernel does tasks. Until the plan is compiled, `tensors` are theirs. */
  tasks?: readonly Task[];
  /** For profiles: FLOP of its sums of products; a multiply-add counts as two. Absent if there are none. */
  flop?: number;
  /** For profiles: the bytes that it reads and writes at least. Default: each of its tensors once. */
  bytes?: number;
  /** What a workgroup does, to predict its time: see cost.ts. Absent if it only moves data. */
  work?: Work;
  /** The time that its bytes take, relative to a copy of as many. Default: 1, or SPREAD.usual if it only moves data. */
  spread?: number;
  /** Default: the value of `during`. */
  part?: StepPart;
  /** Whether it recomputes, in the backward pass, an output of the forward pass that was not saved. */
  recomputed?: boolean;
}

/** Bytes of all tensors, views of one another counted once. */
export function bytesOf(tensors: DispatchSpec['tensors']): number {
  const largest = new Map<Storage, number>();
  for (const tensor of Object.values(tensors))
    largest.set(tensor.storage, Math.max(tensorBytes(tensor), largest.get(tensor.storage) ?? 0));
  return [...largest.values()].reduce((sum, bytes) => sum + bytes, 0);
}

/** The WGSL type of one value, or of a vector of four. */
export const wgslVectorType = (type: NumberType, vec4: boolean): string =>
  vec4 ? { f32: 'vec4f', f16: 'vec4h' }[type] : type;
