/** What a lesson in writing kernels is made of: all but its texts, which are the page's. */
import type { Destroyable } from '../base/owned.ts';
import type { Shape } from '../base/shape.ts';
import type { Sum } from '../engine/error-bound.ts';
import type { Plan } from '../engine/plan.ts';
import type { Device } from '../gpu/device.ts';

/** Where a kernel runs: `cpu` is one thread of the CPU engine. */
export type LessonEngine = 'cpu' | 'gpu';

export interface NamedShape {
  /** Of the binding. */
  name: string;
  shape: Shape;
}

/** What a kernel computes, for sizes of some kind. */
export interface KernelTask<Sizes> {
  /** In the order of their bindings, 0, 1, ... The output is the last binding. */
  inputs(sizes: Sizes): readonly NamedShape[];
  output(sizes: Sizes): NamedShape;
  /** The names of the output's dimensions: "n", "k", "p", "q". */
  dimensions: readonly string[];
  /** Of the WGSL: whole numbers, which each test sets. */
  constants(sizes: Sizes): Readonly<Record<string, number>>;
  /** In float64. */
  reference(sizes: Sizes, inputs: readonly Float32Array[]): Float64Array;
  /** How each value is summed up; undefined if it is a copy. */
  sum(sizes: Sizes): Sum | undefined;
  /** Multiply-adds, for the number of operations per second; 0 if it only moves data. */
  products(sizes: Sizes): number;
}

/** Something that is ready to be run and timed. */
export interface OpenWork extends Destroyable {
  plan: Plan;
}

export interface KernelLesson<Sizes = never> {
  name: string;
  /** In the order in which they are learnt. */
  order: number;
  task: KernelTask<Sizes>;
  /** Awkward ones: small, odd, and just past a tile. */
  tests: readonly Sizes[];
  /**
   * Where it is timed, on which sizes, and the share of the speed of wgrad's own kernel to reach: half of what the solution
   * reached on one core, and less on GPUs, which differ more.
   */
  rates: Readonly<Partial<Record<LessonEngine, { sizes: Sizes; goal: number }>>>;
  /** What the workgroups cover along x, y and z, where each takes TILE_X x TILE_Y x 1; undefined: one workgroup does all. */
  extent?(sizes: Sizes): readonly [x: number, y: number, z: number];
  /** wgrad's own kernels for it, with inputs. */
  own(device: Device, sizes: Sizes): Promise<OpenWork>;
}
