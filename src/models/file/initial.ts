import { elements } from '../../base/shape.ts';
import { initialize } from '../../engine/init.ts';
import { inferShapes, layoutParameters } from '../../engine/network.ts';
import type { StateDict } from '../../engine/parameters.ts';
import type { Model } from '../model.ts';

/** As a run of seed 1 starts. */
export function initialWeights(model: Model): StateDict {
  const { entries, buffers } = layoutParameters(inferShapes(model.layers, [1, ...model.input]));
  const parameters = entries.map((entry) => {
    const spec = { ...entry, name: entry.name.slice(entry.layer.length + 1) };
    const data = initialize(1, entry.name, spec, model.weightsInit);
    return [entry.name, { shape: entry.shape, data }] as const;
  });
  const kept = buffers.entries.map(({ name, shape, initial }) => {
    const data = new Float32Array(elements(shape)).fill(initial);
    return [name, { shape, data }] as const;
  });
  return new Map([...parameters, ...kept]);
}
