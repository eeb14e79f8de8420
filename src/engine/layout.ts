/** The layout of a training step's activations. */
import type { Shape } from '../base/shape.ts';
import type { Device } from '../gpu/device.ts';
import type { Layout, NumberType } from './dispatch.ts';
import type { Layer } from './graph.ts';
import { inferShapes, type LayerShape } from './network.ts';
import type { ConvAttributes } from './ops/conv/index.ts';

/** Tensor cores copy values of 16 bits by eights. */
const EIGHT = 8;

/**
 * NHWC where tensor cores compute every convolution but the first, from neighbours in memory: they take single values from
 * NCHW at a fraction of their speed. Otherwise NCHW, PyTorch's default, as the parameters always are.
 * @param input [N, C, H, W]
 * @param number how activations are stored
 */
export function activationLayout(
  { adapter: { matrices } }: Pick<Device, 'adapter'>,
  layers: readonly Layer[],
  input: Shape,
  number: NumberType,
): Layout {
  const onMatrices = matrices === 'emulated' || (matrices === 'f16' && number === 'f16');
  if (!onMatrices) return 'nchw';
  const shapes = inferShapes(layers, input);
  const suits = shapes.some(({ layer }) => layer.op === 'conv') && shapes.every(hasChannelsLast);
  return suits ? 'nhwc' : 'nchw';
}

function hasChannelsLast({ layer, op, attributes, input, sources, output }: LayerShape): boolean {
  // A view stays the same memory only where each image is a single pixel, or has no pixels at all.
  if (op.isView) return input.slice(2).every((size) => size === 1);
  if (input.length === 2) return true;
  if (!op.channelsLast) return false;
  if (layer.op !== 'conv' || sources[0] < 0) return true;
  const { groups } = attributes as ConvAttributes;
  return [input[1], output[1]].every((channels) => (channels / groups) % EIGHT === 0);
}
