/** The layers of a network as Inspect describes them: titles, settings, and which inputs each output value reads. */
import { elements } from '../../base/shape.ts';
import { INPUT, IMAGES } from '../../engine/graph.ts';
import { overviewChannels, type Inspector } from '../../engine/inspect.ts';
import type { LayerShape } from '../../engine/network.ts';
import { problemOf, type ConvAttributes } from '../../engine/ops/conv/index.ts';
import { poolProblem, type PoolAttributes } from '../../engine/ops/pooling/geometry.ts';
import { summarise, type Model } from '../../models/model.ts';
import type { LookLayer, LayerReads } from '../api.ts';

/** All layers; the image is the first. */
export function lookLayers(model: Model, { shapes }: Pick<Inspector, 'shapes'>): LookLayer[] {
  const titles = summarise(model).layers.map(({ title }) => title);
  const image: LookLayer = {
    name: INPUT,
    title: 'Image',
    op: INPUT,
    takes: [],
    shape: model.input,
    overviewChannels: overviewChannels([1, ...model.input]),
    reads: { kind: 'same' },
    settings: [],
    parameters: 0,
  };
  return [
    image,
    ...shapes.map((one, i): LookLayer => {
      const [, ...shape] = one.output;
      return {
        name: one.layer.name,
        title: titles[i],
        op: one.op.name,
        takes: one.sources.map((source) => (source === IMAGES ? INPUT : shapes[source].layer.name)),
        shape,
        overviewChannels: overviewChannels(one.output),
        reads: readsOf(one),
        settings: settingsOf(one),
        parameters: one.parameters.reduce((sum, spec) => sum + elements(spec.shape), 0),
      };
    }),
  ];
}

/** Which values of its inputs one output value depends on. */
export function readsOf({ op, layer, input }: LayerShape): LayerReads {
  const attributes = (layer.attributes ?? {}) as unknown;
  switch (op.name) {
    case 'conv': {
      const { R, S, stride, padding, dilation, groups } = problemOf(attributes as ConvAttributes, input);
      const start = [-padding.top, -padding.left] as const;
      return { kind: 'window', size: [R, S], stride, start, dilation, groups };
    }
    case 'max_pool':
    case 'avg_pool': {
      const { R, S, stride, padding, dilation } = poolProblem(op.name, attributes as PoolAttributes, input);
      const start = [-padding.top, -padding.left] as const;
      return { kind: 'window', size: [R, S], stride, start, dilation };
    }
    case 'adaptive_max_pool':
    case 'adaptive_avg_pool':
      return { kind: 'adaptive' };
    case 'linear':
      return { kind: 'all' };
    case 'flatten':
      return { kind: 'flatten' };
    case 'concat':
      return { kind: 'concat' };
    case 'maxout':
      return { kind: 'pieces', pieces: layer.attributes?.['pieces'] as number };
    default:
      return { kind: 'same' };
  }
}

const NAMES: Readonly<Record<string, string>> = {
  outChannels: 'filters',
  outFeatures: 'outputs',
  kernelSize: 'kernel',
  outputSize: 'output',
  negativeSlope: 'negative slope',
  countIncludePad: 'padding counts',
};

/** Its attributes with the defaults that matter, for people: "kernel 5 × 5", "stride 2". */
export function settingsOf({ op, layer, input }: LayerShape): string[] {
  const given: Record<string, unknown> = { ...layer.attributes };
  delete given['run'];
  if (op.name === 'conv') {
    const { stride, padding, groups } = problemOf(layer.attributes as unknown as ConvAttributes, input);
    const { top, bottom, left, right } = padding;
    given['stride'] = stride;
    given['padding'] = top === bottom && left === right ? [top, left] : [top, right, bottom, left];
    given['groups'] = groups;
    given['bias'] ??= true;
  }
  if (op.name === 'linear') given['bias'] ??= true;
  if (op.name === 'batch_norm') given['eps'] ??= 1e-5;
  return Object.entries(given).map(([name, value]) => `${NAMES[name] ?? name} ${valueText(value)}`);
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) {
    return value.every((one) => one === value[0]) && value.length === 2 && value[0] === 0
      ? '0'
      : value.join('\u00a0×\u00a0');
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'object' && value !== null) return Object.values(value).join('\u00a0×\u00a0');
  return String(value);
}
