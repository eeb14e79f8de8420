import { elements } from '../base/shape.ts';
import type { LayerShape } from './network.ts';

/** Values that are compared, at most. */
const MOST = 4096;

/**
 * The layers whose outputs a network's images are compared by: what its linear layers read, from the last backwards as far
 * as that is not too much. IMAGES stands for the images.
 */
export function vectorPlaces(shapes: readonly LayerShape[]): number[] {
  const places: number[] = [];
  let values = 0;
  for (const { layer, sources, input } of shapes.toReversed()) {
    if (layer.op !== 'linear') continue;
    values += elements(input.slice(1));
    if (places.length > 0 && values > MOST) break;
    places.unshift(sources[0]);
  }
  return places;
}
