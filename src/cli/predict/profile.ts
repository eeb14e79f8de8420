import type { Layer } from '../../engine/network.ts';
import { layerTimes } from '../../engine/profile/kernels.ts';
import type { ForwardProfile } from '../../engine/profile/forward.ts';

/**
 * A forward pass as columns: milliseconds of all batches together, by layer in their order, and by kernel from the
 * longest to the shortest with their share and the sum of shares so far.
 */
export function forwardColumns(
  { clock, kernels }: ForwardProfile,
  layers: readonly Layer[],
  batches: number,
) {
  const total = kernels.reduce((sum, { time }) => sum + time.median, 0);
  let cumulative = 0;
  return {
    clock,
    kernels_ms: batches * total,
    layers: layerTimes(kernels).map(({ layer, forwardMs }) => ({
      layer,
      op: layers.find(({ name }) => name === layer)?.op,
      ms: batches * forwardMs,
      share: forwardMs / total,
    })),
    kernels: kernels
      .toSorted((a, b) => b.time.median - a.time.median)
      .map(({ kernel, layer, time, flop, bytes }) => {
        const share = time.median / total;
        cumulative += share;
        return {
          kernel,
          layer: layer ?? null,
          ms: batches * time.median,
          p10_ms: batches * time.p10,
          p90_ms: batches * time.p90,
          share,
          cumulative,
          flop: batches * flop,
          bytes: batches * bytes,
        };
      }),
  };
}
