/** Realistic parameters for measurements and tests without training. */
import { Random } from '../base/random.ts';
import type { Shape } from '../base/shape.ts';
import { initialize } from './init.ts';
import { inferShapes, layoutParameters, type Layer } from './network.ts';
import type { StateDict } from './parameters.ts';

/**
 * Random initial weights, with scales, shifts and running statistics as after training: with initial values of 0 and 1,
 * batch normalisation would do almost nothing.
 * @param input [N, C, H, W]
 */
export function typicalParameters(layers: readonly Layer[], input: Shape): StateDict {
  const layout = layoutParameters(inferShapes(layers, input));
  const random = new Random(1, 'settled parameters');
  const trained = layout.entries.map((entry) => {
    const name = entry.name.slice(entry.layer.length + 1);
    const drawn = initialize(1, entry.name, { ...entry, name });
    const data = entry.initial === undefined ? drawn : drawn.map((v) => v + 0.2 * random.normal());
    return [entry.name, { shape: entry.shape, data }] as const;
  });
  const kept = layout.buffers.entries.map(({ name, shape, length, initial, counts }) => {
    const data = new Float32Array(length).map(() => {
      if (counts) return 100;
      return initial === 0 ? 0.5 * random.normal() : initial * (0.5 + random.normal() ** 2);
    });
    return [name, { shape, data }] as const;
  });
  return new Map([...trained, ...kept]);
}
