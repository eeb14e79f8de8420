/**
 * What steps measure on request besides loss and accuracy: the norm of the gradients of all parameters that are trained, before any
 * clipping, and per layer that of the update over that of the weights before it, of which about 1e-3 is healthy. Three
 * dispatches add squares up by layer, and change nothing else: clipping adds up its own, so that its bits do not depend on them.
 */
import { ceilDiv } from '../base/shape.ts';
import type { OptionalMetric } from '../run/metrics/table.ts';
import type { ParameterLayout } from './network.ts';
import { blockConstants, noBlocks } from './optimizers/update.ts';
import { grid, type PlanBuilder, type Tensor } from './plan.ts';
import { sumThreads } from './shared-sum.ts';

/** Most parameters of a chunk, which a workgroup adds up. */
const CHUNK = 4096;
/** Threads of a workgroup if each has its own sum. */
const OWN_THREADS = 64;

/** Numbers per layer and step: sums of squares of gradients, weights and updates. */
export const SUMS = 3;

export interface MeasureTensors {
  layers: readonly MeasuredLayer[];
  /** Of all layers, flat. */
  parameters: Tensor;
  gradients: Tensor;
  /** The loss scale, if the loss is scaled. */
  scaling?: Tensor | undefined;
  /** Which blocks of parameters are trained: see `blockTable`. Absent: all. */
  blocks?: Tensor | undefined;
  /** [slots, layers, SUMS]: a step writes to its metrics slot. */
  values: Tensor;
}

/** A layer with parameters, which lie from `offset` to before `end`. */
export interface MeasuredLayer {
  layer: string;
  offset: number;
  end: number;
}

export function measuredLayers({ entries }: ParameterLayout): readonly MeasuredLayer[] {
  const layers = new Map<string, MeasuredLayer>();
  for (const { layer, offset, length } of entries) {
    const end = offset + length;
    const known = layers.get(layer) ?? { layer, offset, end };
    layers.set(layer, { layer, offset: Math.min(known.offset, offset), end: Math.max(known.end, end) });
  }
  return [...layers.values()];
}

/**
 * Adds a dispatch that reads the gradients and the loss scale before they are changed. Call the function that it returns after
 * the optimiser: it adds the other two.
 */
export function planMeasures(
  plan: PlanBuilder,
  { layers, parameters, gradients, scaling, blocks, values }: MeasureTensors,
): () => void {
  const isShared = !plan.device.onProcessor;
  const threads = isShared ? sumThreads(plan.device) : OWN_THREADS;
  const chunks = layers.flatMap(({ offset, end }) =>
    Array.from({ length: ceilDiv(end - offset, CHUNK) }, (_, i) => {
      const from = offset + i * CHUNK;
      return [from, Math.min(from + CHUNK, end)];
    }),
  );
  /** What the passes over chunks share. */
  const constants = { SHARED: isShared, THREADS: threads };
  const chunkTable = plan.constant('chunks of parameters', Uint32Array.from(chunks.flat()));
  const uniforms = { chunks: chunks.length };
  const workgroups = grid(chunks.length, 1);
  const perChunk = isShared ? 1 : threads;
  const count = chunks.length * perChunk;

  const before = plan.tensor('parameters before the update', parameters.shape);
  const squares = plan.tensor('squares of gradients and parameters', [count, 2]);
  const updates = plan.tensor('squares of updates', [count]);
  plan.dispatch({
    label: 'squares before the update',
    kernel: {
      shader: 'measures/before',
      constants: { ...constants, ...blockConstants(blocks), SCALED: scaling !== undefined },
    },
    tensors: {
      chunks: chunkTable,
      parameters,
      gradients,
      blocks: blocks ?? noBlocks(plan),
      scaling: scaling ?? plan.tensor('no scaling of gradients', [2]),
      before,
      sums: squares,
    },
    uniforms,
    workgroups,
  });
  return () => {
    plan.dispatch({
      label: 'squares of the update',
      kernel: { shader: 'measures/update', constants },
      tensors: { chunks: chunkTable, parameters, before, sums: updates },
      uniforms,
      workgroups,
    });
    const layerThreads = isShared ? threads : 1;
    plan.dispatch({
      label: 'squares by layer',
      kernel: { shader: 'measures/layers', constants: { SHARED: isShared, THREADS: layerThreads } },
      tensors: {
        places: plan.constant('chunks of layers', placesOf(layers, perChunk)),
        before: squares,
        updates,
        values,
      },
      uniforms: { layers: layers.length },
      workgroups: [layers.length, 1, 1],
    });
  };
}

/** Of each layer, from which sum of a chunk to before which. */
function placesOf(layers: readonly MeasuredLayer[], perChunk: number): Uint32Array<ArrayBuffer> {
  let last = 0;
  const places = layers.map(({ offset, end }) => {
    const first = last;
    last += perChunk * ceilDiv(end - offset, CHUNK);
    return [first, last];
  });
  return Uint32Array.from(places.flat());
}

/** The metrics of a step, in columns of their own where they are per layer. @param sums [layers, SUMS] */
export function measured(
  layers: readonly MeasuredLayer[],
  sums: Float32Array,
): Partial<Record<OptionalMetric, number>> {
  const norm = (what: number) => (i: number) => Math.sqrt(sums[i * SUMS + what]);
  const [gradient, weights, update] = [0, 1, 2].map(norm);
  return {
    gradientNorm: Math.hypot(...layers.map((_, i) => gradient(i))),
    ...Object.fromEntries(layers.map(({ layer }, i) => [`updateRatio.${layer}`, update(i) / weights(i)])),
  };
}
