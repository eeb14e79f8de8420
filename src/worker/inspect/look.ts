/** The activations of one image, layer by layer, and the channels that many images activate. */
import { Failure } from '../../base/result.ts';
import { elements } from '../../base/shape.ts';
import { softmax } from '../../base/softmax.ts';
import { IMAGES, INPUT } from '../../engine/graph.ts';
import type { ExplainedPixel, Inspector } from '../../engine/inspect.ts';
import { weightShape, type ConvProblem } from '../../engine/ops/conv/problem.ts';
import type { TrainingRun } from '../../train/run.ts';
import type { ConvPlace, Firing, Look, LookFilters, LookPixel, LookRequest, LookTerms } from '../api.ts';
import { workOut } from './arithmetic.ts';
import { lookLayers } from './layers.ts';

/** Images that `firing` runs, at most, spread over the test set. */
const FIRING_IMAGES = 64;

export function look(run: TrainingRun, { image, layer: named, pixel, maps }: LookRequest): Promise<Look> {
  return run.ask(async (trainer) => {
    const pixels = trainer.normalised(image);
    const inspector = await trainer.inspector();
    inspector.look(pixels);
    const { steps: step } = run;
    const { shapes } = inspector;
    const layer = named ?? firstFiltered(inspector);
    const place = placeOf(inspector, layer);
    const layers = lookLayers(run.config.model, inspector);
    const names = maps?.filter((name) => layers.some((one) => one.name === name));
    const shown = [...new Set(names ?? layers.map(({ name }) => name))];
    const [overviews, values, logits, filters, worked, terms] = await Promise.all([
      inspector.overviews(shown.map((name) => placeOf(inspector, name))),
      inspector.output(place),
      inspector.output(shapes.length - 1),
      filtersOf(inspector, place),
      pixel && pixelOf(inspector, place, pixel),
      pixel && termsOf(inspector, place, pixel),
    ]);
    return {
      step,
      probabilities: softmax(logits),
      layers,
      overviews: Object.fromEntries(shown.map((name, i) => [name, overviews[i]])),
      output: { layer, shape: layers[place + 1].shape, values },
      filters,
      ...(worked ? { pixel: worked } : {}),
      terms,
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

const problemAt = (inspector: Inspector, place: number) =>
  place === IMAGES ? undefined : inspector.problem(place);

async function filtersOf(inspector: Inspector, place: number): Promise<LookFilters | undefined> {
  const problem = problemAt(inspector, place);
  if (!problem) return undefined;
  return { shape: weightShape(problem), ...(await inspector.filters(place)) };
}

/** Undefined if the layer is not a convolution or has no such output: the model may have changed. */
async function pixelOf(inspector: Inspector, place: number, at: ConvPlace): Promise<LookPixel | undefined> {
  const problem = problemAt(inspector, place);
  if (!problem || at.k >= problem.K || at.p >= problem.P || at.q >= problem.Q) return undefined;
  const source = inspector.shapes[place].sources[0];
  const [worked, input] = await Promise.all([inspector.pixel(place, at), inspector.output(source)]);
  return lookPixel(problem, at, worked, input, nameOf(inspector, source));
}

/** @param input of the convolution, and the name of the layer that it comes from */
export function lookPixel(
  { C, H, W, R, S, dilation }: ConvProblem,
  at: ConvPlace,
  explained: ExplainedPixel,
  input: Float32Array,
  inputName: string,
): LookPixel {
  const { magnitude: _magnitude, ...worked } = explained;
  return { ...at, ...worked, window: [R, S], dilation, input, inputShape: [C, H, W], inputName };
}

/** Undefined for the image and for convolutions, which `pixelOf` explains. */
async function termsOf(inspector: Inspector, place: number, at: ConvPlace): Promise<LookTerms | undefined> {
  if (place === IMAGES || problemAt(inspector, place)) return undefined;
  const shape = inspector.shapes[place];
  const { layer, sources, parameters, buffers } = shape;
  const named = (name: string) => `${layer.name}.${name}`;
  const [inputs, output, own] = await Promise.all([
    Promise.all(
      sources.map(async (source) => ({
        name: nameOf(inspector, source),
        values: await inspector.output(source),
      })),
    ),
    inspector.output(place),
    Promise.all([
      ...parameters.map(async ({ name }) => [name, await inspector.parameter(named(name))] as const),
      ...buffers.map(async ({ name }) => [name, await inspector.buffer(named(name))] as const),
    ]),
  ]);
  return workOut({ shape, inputs, output, own: Object.fromEntries(own) }, at);
}

/** @throws Failure `not-found` if the network has no such layer */
export function placeOf({ shapes }: Pick<Inspector, 'shapes'>, name: string): number {
  if (name === INPUT) return IMAGES;
  const place = shapes.findIndex(({ layer }) => layer.name === name);
  if (place < 0)
    throw new Failure('not-found', `The network has no layer "${name}".`, 'Choose a layer from the list.');
  return place;
}

/** The layer whose filters look like what they find: the first convolution; the image if there is none. */
export const firstFiltered = ({ shapes }: Pick<Inspector, 'shapes'>): string =>
  shapes.find(({ op }) => op.name === 'conv')?.layer.name ?? INPUT;

export const nameOf = ({ shapes }: Pick<Inspector, 'shapes'>, place: number): string =>
  place === IMAGES ? INPUT : shapes[place].layer.name;
