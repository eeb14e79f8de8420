/** The filters of the first convolution: small enough to watch while they train. */
import { inferShapes } from '../../engine/network.ts';
import { tensorBytes } from '../../engine/plan.ts';
import type { TrainingRun } from '../../train/run.ts';
import type { FirstFilters } from '../api.ts';

/** The current filters: one read-back, no computation. Undefined if the network has no convolution. */
export function firstFilters(run: TrainingRun): Promise<FirstFilters | undefined> {
  return run.ask(async ({ options, parameters, readback }) => {
    const shapes = inferShapes(options.layers, [1, ...options.input]);
    const first = shapes.find(({ op }) => op.name === 'conv');
    if (!first) return undefined;
    const { steps: step } = run;
    const { name: layer } = first.layer;
    const read = (name: string) => {
      const tensor = parameters.forInference.parameters(`${layer}.${name}`);
      const { home } = tensor.storage;
      return home && readback.floats({ ...home, bytes: tensorBytes(tensor) });
    };
    const [weights, bias] = await Promise.all(
      ['weight', 'bias'].map((name) =>
        first.parameters.some((parameter) => parameter.name === name) ? read(name) : undefined,
      ),
    );
    const shape = first.parameters.find(({ name }) => name === 'weight')?.shape;
    return weights && shape && { step, layer, shape, weights, bias };
  });
}
