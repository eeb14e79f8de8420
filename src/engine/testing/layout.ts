/** Values of images in the layouts that kernels compute with. */
import type { Shape } from '../../base/shape.ts';
import type { Layout } from '../dispatch.ts';
import { Indexing } from '../ops/conv/layout.ts';
import type { FixtureValues } from './fixtures.ts';

/**
 * The values of an image tensor in another layout.
 * @param shape [N, C, ...], as in PyTorch
 */
export function rearranged<V extends FixtureValues['data']>(
  data: V,
  shape: Shape,
  from: Layout,
  to: Layout,
): V {
  if (from === to) return data;
  const [, channels, height = 1, width = 1] = shape;
  const source = new Indexing(from, channels, height, width);
  const target = new Indexing(to, channels, height, width);
  return data.map((_, at) => data[source.at(...target.placeOf(at))]) as V;
}

/** Values in PyTorch's order as they lie in `layout`. */
export const inLayout = ({ shape, data }: FixtureValues, layout: Layout): FixtureValues => ({
  shape,
  data: rearranged(data, shape, 'nchw', layout),
});
