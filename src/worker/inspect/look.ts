/** The activations of one image, layer by layer, and the channels that many images activate. */
import { Failure } from '../../base/result.ts';
import { elements } from '../../base/shape.ts';
import { softmax } from '../../base/softmax.ts';
import { IMAGES, INPUT } from '../../engine/graph.ts';
import { overviewChannels, type Inspector } from '../../engine/inspect.ts';
import { weightShape } from '../../engine/ops/conv/problem.ts';
import { summarise } from '../../models/model.ts';
import type { TrainingRun } from '../../train/run.ts';
import type { ConvPlace, Firing, Look, LookFilters, LookLayer, LookPixel, LookRequest } from '../api.ts';

/** Images that `firing` runs, at most, spread over the test set. */
const FIRING_IMAGES = 64;

export function look(run: TrainingRun, { image, layer, pixel }: LookRequest): Promise<Look> {
  return run.ask(async (trainer) => {
    const pixels = trainer.normalised(image);
    const inspector = await trainer.inspector();
    inspector.look(pixels);
    const { steps: step } = run;
    const { shapes } = inspector;
    const place = placeOf(inspector, layer);
    const [{ images, layers: overviews }, values, logits, filters, worked] = await Promise.all([
      inspector.overviews(),
      inspector.output(place),
      inspector.output(shapes.length - 1),
      filtersOf(inspector, place),
      pixel && pixelOf(inspector, place, pixel),
    ]);
    const titles = summarise(run.config.model).layers.map(({ title }) => title);
    const [, ...input] = shapes[0].inputs[0];
    const layers = shapes.map(({ layer: { name }, op, sources, output: [, ...shape] }, i): LookLayer => ({
      name,
      title: titles[i],
      op: op.name,
      takes: sources.map((source) => nameOf(inspector, source)),
      shape,
      overviewChannels: overviewChannels([1, ...shape]),
    }));
    const imageLayer: LookLayer = {
      name: INPUT,
      title: 'Image',
      op: INPUT,
      takes: [],
      shape: trainer.options.input,
      overviewChannels: overviewChannels([1, ...trainer.options.input]),
    };
    return {
      step,
      probabilities: softmax(logits),
      layers: [imageLayer, ...layers],
      overviews: [images, ...overviews],
      output: { layer, shape: place === IMAGES ? input : shapes[place].output.slice(1), values },
      ...(filters ? { filters } : {}),
      ...(worked ? { pixel: worked } : {}),
    };
  });
}

/** Each image is a separate request, so that others are served in between. */
export async function firing(run: TrainingRun, layer: string): Promise<Firing> {
  const { dataset } = run.config;
  const { images, count } = dataset.test ?? dataset.train;
  const size = elements(dataset.shape);
  const looked = Math.min(FIRING_IMAGES, count);
  let counts = new Uint32Array();
  for (let i = 0; i < looked; i++) {
    const index = Math.floor((i * count) / looked);
    const fired = await run.ask(async (trainer) => {
      const inspector = await trainer.inspector();
      const place = placeOf(inspector, layer);
      inspector.look(trainer.normalised(images.subarray(index * size, (index + 1) * size)));
      const values = await inspector.output(place);
      const channels = (place === IMAGES ? dataset.shape : inspector.shapes[place].output.slice(1))[0];
      return firingChannels(values, channels);
    });
    if (counts.length === 0) counts = new Uint32Array(fired.length);
    fired.forEach((fires, channel) => (counts[channel] += fires ? 1 : 0));
  }
  return { layer, step: run.steps, images: looked, counts };
}

/** The channels with non-zero values. */
export function firingChannels(values: Float32Array, channels: number): boolean[] {
  const size = values.length / channels;
  return Array.from({ length: channels }, (_, channel) =>
    values.subarray(channel * size, (channel + 1) * size).some((value) => value !== 0),
  );
}

async function filtersOf(inspector: Inspector, place: number): Promise<LookFilters | undefined> {
  const problem = place === IMAGES ? undefined : inspector.problem(place);
  if (!problem) return undefined;
  return { shape: weightShape(problem), ...(await inspector.filters(place)) };
}

/** Undefined if the layer is not a convolution or has no such output: the model may have changed. */
async function pixelOf(inspector: Inspector, place: number, at: ConvPlace): Promise<LookPixel | undefined> {
  const problem = place === IMAGES ? undefined : inspector.problem(place);
  if (!problem || at.k >= problem.K || at.p >= problem.P || at.q >= problem.Q) return undefined;
  const source = inspector.shapes[place].sources[0];
  const [worked, input] = await Promise.all([inspector.pixel(place, at), inspector.output(source)]);
  const { C, H, W, R, S, dilation } = problem;
  const { channels, firstChannel, top, left, patch, weights, channelSums, bias, sum, network, error } =
    worked;
  return {
    ...at,
    channels,
    firstChannel,
    top,
    left,
    patch,
    weights,
    channelSums,
    bias,
    sum,
    network,
    error,
    window: [R, S],
    dilation,
    input,
    inputShape: [C, H, W],
    inputName: nameOf(inspector, source),
  };
}

/** @throws Failure `not-found` if the network has no such layer */
function placeOf({ shapes }: Inspector, name: string): number {
  if (name === INPUT) return IMAGES;
  const place = shapes.findIndex(({ layer }) => layer.name === name);
  if (place < 0)
    throw new Failure('not-found', `The network has no layer "${name}".`, 'Choose one of the list.');
  return place;
}

const nameOf = ({ shapes }: Inspector, place: number): string =>
  place === IMAGES ? INPUT : shapes[place].layer.name;
