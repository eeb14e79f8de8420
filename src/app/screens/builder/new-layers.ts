/** What the palette adds: single layers, and well-known blocks of several. */
import { IMAGE, type LayerData } from '../../../base/layers/layer.ts';
import { freshName } from '../../../base/layers/names.ts';
import type { LayerKind } from '../../../worker/api.ts';
import type { build } from '../../messages/en/build.tsx';

/** Makes unused names, each once. */
function namer(layers: readonly LayerData[]): (stem: string) => string {
  const taken = new Set(layers.map(({ name }) => name));
  return (stem) => {
    const name = freshName(taken, stem);
    taken.add(name);
    return name;
  };
}

/** A new layer with its initial attributes. */
export function newLayer(kind: LayerKind, layers: readonly LayerData[]): LayerData {
  const initial = kind.attributes.flatMap((attribute) =>
    'initial' in attribute && attribute.initial !== undefined ? [[attribute.name, attribute.initial]] : [],
  );
  return {
    name: namer(layers)(kind.stem),
    op: kind.op,
    ...(initial.length > 0 ? { attributes: Object.fromEntries(initial) as Record<string, unknown> } : {}),
  };
}

/** Its title and what it is for are texts of Build. */
export interface PresetBlock {
  name: keyof (typeof build)['blocks'];
  /**
   * IMAGE among the inputs stands for the input of the block.
   * @param channels of its input
   */
  layers: (layers: readonly LayerData[], channels: number) => LayerData[];
}

const convolution = (name: string, outChannels: number, size: number, rest: object = {}): LayerData => {
  const padding = (size - 1) / 2;
  return {
    name,
    op: 'conv',
    attributes: {
      outChannels,
      kernelSize: [size, size],
      ...(padding > 0 ? { padding: [padding, padding] } : {}),
      ...rest,
      bias: false,
    },
  };
};

/** The number of filters of a new convolution: as many as input channels, but for images. */
const filtersFor = (channels: number): number => (channels > 3 ? channels : 16);

/** "block1.", a prefix that no name has. */
function prefixOf(layers: readonly LayerData[]): string {
  const taken = new Set(layers.map(({ name }) => name.split('.')[0]));
  return `${freshName(taken, 'block')}.`;
}

export const PRESET_BLOCKS: readonly PresetBlock[] = [
  {
    name: 'residual',
    layers(layers, channels) {
      const own = prefixOf(layers);
      return [
        convolution(`${own}conv1`, channels, 3),
        { name: `${own}bn1`, op: 'batch_norm' },
        { name: `${own}relu1`, op: 'relu' },
        convolution(`${own}conv2`, channels, 3),
        { name: `${own}bn2`, op: 'batch_norm' },
        { name: `${own}add`, op: 'add', inputs: [`${own}bn2`, IMAGE] },
        { name: `${own}relu2`, op: 'relu' },
      ];
    },
  },
  {
    name: 'unit',
    layers(layers, channels) {
      const next = namer(layers);
      return [
        convolution(next('conv'), filtersFor(channels), 3),
        { name: next('bn'), op: 'batch_norm' },
        { name: next('relu'), op: 'relu' },
      ];
    },
  },
  {
    name: 'separable',
    layers(layers, channels) {
      const own = prefixOf(layers);
      return [
        convolution(`${own}depthwise`, channels, 3, { groups: channels }),
        { name: `${own}bn1`, op: 'batch_norm' },
        { name: `${own}relu1`, op: 'relu' },
        convolution(`${own}pointwise`, filtersFor(channels), 1),
        { name: `${own}bn2`, op: 'batch_norm' },
        { name: `${own}relu2`, op: 'relu' },
      ];
    },
  },
];
