/**
 * The norm of a step's update over that of the weights before it, per layer: about 1e-3 is healthy. The parameters are
 * copied before the optimiser changes them. Many threads add up each layer, in a fixed order.
 */
import { alignUp } from '../../base/shape.ts';
import { grid } from '../plan.ts';
import { sumThreads } from '../shared-sum.ts';
import type { ParameterLayout } from '../network.ts';
import type { Measure } from './measure.ts';

/** Least parameters per thread, and most threads per layer. */
const FEWEST = 64;
const MAX_PARTS = 8192;

export default {
  name: 'updateRatio',
  columns: (layout) => layersOf(layout).map(({ layer }) => `updateRatio.${layer}`),
  plan(plan, { layout, parameters, values }) {
    const ranges = layersOf(layout);
    const { length: layers } = ranges;
    const longest = Math.max(...ranges.map(({ offset, end }) => end - offset));
    const parts = Math.min(MAX_PARTS, alignUp(Math.ceil(longest / FEWEST), 64));
    const before = plan.tensor('parameters before the update', parameters.shape);
    const sums = plan.tensor('sums of the update', [layers, parts, 2]);
    const places = Uint32Array.from(ranges.flatMap(({ offset, end }) => [offset, end]));
    const count = layout.length;
    // Barriers are expensive on software adapters: there, one thread adds up a layer's sums.
    const threads = plan.device.onProcessor ? 1 : sumThreads(plan.device);
    plan.dispatch({
      label: 'parameters before the update',
      kernel: { shader: 'parameters/narrow', constants: { Number: 'f32' } },
      tensors: { parameters, narrow: before },
      uniforms: { count },
      workgroups: grid(count, 64),
    });
    return () => {
      plan.dispatch({
        label: 'sums of the update',
        kernel: { shader: 'measures/update_sums' },
        tensors: { before, parameters, places: plan.constant('places of layers', places), sums },
        uniforms: { parts, layers },
        workgroups: grid(layers * parts, 64),
      });
      plan.dispatch({
        label: 'ratios of updates to weights',
        kernel: { shader: 'measures/update_ratio', constants: { SHARED: threads > 1, THREADS: threads } },
        tensors: { sums, ratios: values },
        uniforms: { parts, layers },
        workgroups: [layers, 1, 1],
      });
    };
  },
} satisfies Measure;

/** Where the parameters of each layer lie: from `offset` to before `end`. Gaps hold zeros. */
function layersOf({ entries }: ParameterLayout): { layer: string; offset: number; end: number }[] {
  const layers = new Map<string, { layer: string; offset: number; end: number }>();
  for (const { layer, offset, length } of entries) {
    const known = layers.get(layer) ?? { layer, offset, end: offset };
    layers.set(layer, {
      layer,
      offset: Math.min(known.offset, offset),
      end: Math.max(known.end, offset + length),
    });
  }
  return [...layers.values()];
}
