/** Seeded inputs for tests: the same on every machine. */
import { Random } from '../../base/random.ts';
import { elements, type Shape } from '../../base/shape.ts';
import { initialize } from '../init.ts';
import { inferShapes, layoutParameters, type Layer } from '../network.ts';
import type { StateDict } from '../parameters.ts';

/** Numbers with their shape, last dimension fastest. */
export interface Values {
  readonly shape: Shape;
  readonly data: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;
}

/**
 * Whole numbers from -largest to largest. Their products and sums are exact in float32 while they stay below 2^24, in
 * whatever order they are added, so a kernel must get them right to the last bit.
 */
export function integers(
  seed: number,
  shape: Shape,
  largest = 4,
): Values & { data: Float32Array<ArrayBuffer> } {
  const random = new Random(seed, 'integers');
  return {
    shape,
    data: new Float32Array(elements(shape)).map(() => random.below(2 * largest + 1) - largest),
  };
}

/** Normally distributed numbers, mean 0, deviation 1. */
export function normals(seed: number, shape: Shape): Values & { data: Float32Array<ArrayBuffer> } {
  const random = new Random(seed, 'normals');
  return { shape, data: new Float32Array(elements(shape)).map(() => random.normal()) };
}

/** Whole numbers from 0 to bound - 1, as labels are. */
export function labels(
  seed: number,
  count: number,
  bound: number,
): Values & { data: Uint32Array<ArrayBuffer> } {
  const random = new Random(seed, 'labels');
  return { shape: [count], data: new Uint32Array(count).map(() => random.below(bound)) };
}

/** Parameters drawn as for a fresh run, and scales, shifts and running statistics such as training leaves. */
export function settled(layers: readonly Layer[], input: Shape): StateDict {
  const layout = layoutParameters(inferShapes(layers, input));
  const drawn = layout.entries.map((entry) => {
    const name = entry.name.slice(entry.layer.length + 1);
    const data = initialize(1, entry.name, { ...entry, name });
    if (entry.initial === undefined) return [entry.name, { shape: entry.shape, data }] as const;
    const noise = normals(entry.offset, entry.shape);
    return [entry.name, { ...noise, data: noise.data.map((v, i) => data[i] + 0.2 * v) }] as const;
  });
  const kept = layout.buffers.entries.map(({ name, shape, offset, initial, counts }) => {
    const noise = normals(offset + 1, shape);
    const data = noise.data.map((v) => (counts ? 100 : initial === 0 ? 0.5 * v : initial * (0.5 + v * v)));
    return [name, { shape, data }] as const;
  });
  return new Map([...drawn, ...kept]);
}
