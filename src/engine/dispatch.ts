/** What a plan is made of: tensors, and dispatches of kernels over them. */
import { elements, type Shape } from '../base/shape.ts';
import type { KernelSource } from '../gpu/kernels.ts';
import type { BufferRange } from '../gpu/ledger.ts';

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

export interface Storage {
  readonly label: string;
  readonly bytes: number;
  /** Set for memory from outside the plan. */
  readonly home?: BufferRange;
  /** Set for what is written once, when the plan is compiled. */
  readonly contents?: Uint32Array<ArrayBuffer>;
}

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
  /** Default: what `during` says. */
  part?: Part;
  /** Whether it recomputes, in the backward pass, an output of the forward pass that was not kept. */
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
