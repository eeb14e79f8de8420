/** What the palette puts into a model: single layers, and stretches of several that people know by a name. */
import { IMAGE, type LayerData } from '../../../base/layers/layer.ts';
import { freshName } from '../../../base/layers/names.ts';
import type { LayerKind } from '../../../worker/api.ts';

/** Names that nothing has yet; each is given once. */
function namer(layers: readonly LayerData[]): (stem: string) => string {
  const taken = new Set(layers.map(({ name }) => name));
  return (stem) => {
    const name = freshName(taken, stem);
    taken.add(name);
    return name;
  };
}

/** A layer with what new ones of its kind have. */
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

/** Several layers at once. */
export interface Stretch {
  name: string;
  title: string;
  explanation: string;
  /** @param channels what comes in has, if that is known; IMAGE in inputs stands for what comes in */
  layers(layers: readonly LayerData[], channels: number): LayerData[];
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

/** Filters where nothing says how many. An image's few channels are no measure. */
const filtersFor = (channels: number): number => (channels > 3 ? channels : 16);

/** "block1.", which no name begins with. */
function prefixOf(layers: readonly LayerData[]): string {
  const taken = new Set(layers.map(({ name }) => name.split('.')[0]));
  return `${freshName(taken, 'block')}.`;
}

export const STRETCHES: readonly Stretch[] = [
  {
    name: 'residual',
    title: 'Residual block',
    explanation:
      'Two convolutions, and beside them what came in: the block only has to learn what to add. Deep networks can be trained with it.',
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
    title: 'Convolution unit',
    explanation: 'A convolution, batch normalisation and ReLU: what most networks are made of.',
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
    title: 'Separable convolution',
    explanation:
      'A filter for each channel alone, then filters of 1 × 1 that mix them: a convolution for a fraction of the work.',
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
