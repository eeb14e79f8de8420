/** The layers of a network as Inspect describes them: titles, settings, and which inputs each output value reads. */
import { elements } from '../../base/shape.ts';
import { INPUT, IMAGES } from '../../engine/graph.ts';
import { overviewChannels, type Inspector } from '../../engine/inspect.ts';
import type { LayerShape } from '../../engine/network.ts';
import { sourceLayer } from '../../models/code/source.ts';
import { summarise, type Model } from '../../models/model.ts';
import type { ReadPattern } from '../../ops/reads.ts';
import { ABOUTS } from '../../ops/abouts.ts';
import { windowsOf } from '../../ops/layer.ts';
import type { LookLayer } from '../api.ts';

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
export const readsOf = (shape: LayerShape): ReadPattern =>
  ABOUTS.get(shape.op.name)?.reads?.(sourceLayer(shape)) ?? { kind: 'same' };

/** Its attributes with the defaults that matter, for people: "kernel 5 × 5", "stride 2". */
export function settingsOf(shape: LayerShape): string[] {
  const layer = sourceLayer(shape);
  const given: Record<string, unknown> = { ...shape.layer.attributes };
  delete given['run'];
  const { attributes = {} } = ABOUTS.get(layer.op) ?? {};
  for (const [name, about] of Object.entries(attributes)) {
    if (!about.listed) continue;
    const { top, bottom, left, right } = windowsOf(layer).padding;
    const sides = top === bottom && left === right ? [top, left] : [top, right, bottom, left];
    given[name] = name === 'padding' ? sides : layer.attributes[name];
  }
  return Object.entries(given).map(
    ([name, value]) => `${attributes[name]?.short ?? name} ${valueText(value)}`,
  );
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
