import { initialize } from '../../src/engine/init.ts';
import { inferShapes, layoutParameters } from '../../src/engine/network.ts';
import type { StateDict } from '../../src/engine/parameters.ts';
import lenet5 from '../../src/models/lenet5.ts';

/** The parameters that everyone starts from, under PyTorch's names and in its layouts. */
export function initialParameters(seed: number): StateDict {
  const { entries } = layoutParameters(inferShapes(lenet5.layers, [1, ...lenet5.input]));
  return new Map(
    entries.map((entry) => {
      const name = entry.name.slice(entry.layer.length + 1);
      return [entry.name, { shape: entry.shape, data: initialize(seed, entry.name, { ...entry, name }) }];
    }),
  );
}
