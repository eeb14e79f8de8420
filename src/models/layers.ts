/** Layers in one line each, for the models here. Attributes with the op's defaults are omitted. */
import type { Layer } from '../engine/network.ts';

/** A layer's input, where it is not the output of the layer before it. */
interface From {
  input?: string | undefined;
}

const named = (name: string, op: string, { input }: From, attributes?: Layer['attributes']): Layer => ({
  name,
  op,
  ...(input === undefined ? {} : { inputs: [input] }),
  ...(attributes ? { attributes } : {}),
});

interface ConvOptions extends From {
  stride?: number;
  /** Default: preserves the size. */
  padding?: number;
  groups?: number;
  bias?: boolean;
}

/** A convolution with square filters. */
export function conv(
  name: string,
  outChannels: number,
  size: number,
  { stride = 1, padding = (size - 1) / 2, groups = 1, bias = true, input }: ConvOptions = {},
): Layer {
  return named(
    name,
    'conv',
    { input },
    {
      outChannels,
      kernelSize: [size, size],
      ...(stride === 1 ? {} : { stride: [stride, stride] }),
      ...(padding === 0 ? {} : { padding: [padding, padding] }),
      ...(groups === 1 ? {} : { groups }),
      ...(bias ? {} : { bias }),
    },
  );
}

/** Max pooling over square windows. */
export const maxPool = (
  name: string,
  size: number,
  stride: number,
  { padding = 0, input }: { padding?: number } & From = {},
): Layer =>
  named(
    name,
    'max_pool',
    { input },
    {
      kernelSize: [size, size],
      stride: [stride, stride],
      ...(padding === 0 ? {} : { padding: [padding, padding] }),
    },
  );

/** The mean of each channel. */
export const globalAverage = (name: string): Layer =>
  named(name, 'adaptive_avg_pool', {}, { outputSize: [1, 1] });

export const batchNorm = (name: string, attributes?: { eps: number; momentum?: number }): Layer =>
  named(name, 'batch_norm', {}, attributes);

export const dropout = (name: string, p?: number): Layer =>
  named(name, 'dropout', {}, p === undefined ? undefined : { p });

export const relu = (name: string): Layer => named(name, 'relu', {});
export const flatten = (name: string): Layer => named(name, 'flatten', {});
export const scale = (name: string, factor: number): Layer => named(name, 'scale', {}, { factor });
export const linear = (name: string, outFeatures: number, { bias = true }: { bias?: boolean } = {}): Layer =>
  named(name, 'linear', {}, { outFeatures, ...(bias ? {} : { bias }) });
export const add = (name: string, inputs: readonly string[]): Layer => ({ name, op: 'add', inputs });
export const concat = (name: string, inputs: readonly string[]): Layer => ({ name, op: 'concat', inputs });
