/** The familiarity of images to the network that comes with the page, from statistics that come with it. */
import { joined, strangeness, type Familiar } from '../../base/familiar.ts';
import { Failure } from '../../base/result.ts';
import { IMAGES } from '../../engine/graph.ts';
import { inferShapes } from '../../engine/network.ts';
import { forwardOutputs } from '../../engine/reference/network.ts';
import { vectorPlaces } from '../../engine/vectors.ts';
import { inputOf, parseTrained, trainedNetwork, type PretrainedNetwork } from '../trained/trained.ts';
import type { Familiarity } from './api.ts';

/** Below the page's folder. Made by scripts/trained/familiar.mjs. */
export const STATISTICS = 'trained/lenet5-familiar.safetensors';

let statistics: Promise<Familiar> | undefined;

/**
 * @param pageUrl the page's folder, ending in "/"
 * @throws Failure `download` if weights or statistics cannot be fetched, `bad-input` for an image of another size
 */
export async function familiarityToTrained(
  image: Uint8Array,
  pageUrl: string,
  get: typeof fetch,
): Promise<Familiarity> {
  statistics ??= load(pageUrl, get);
  // A failure may be the network's; the next request tries again.
  statistics.catch(() => (statistics = undefined));
  const [network, familiar] = await Promise.all([trainedNetwork(pageUrl, get), statistics]);
  return { step: network.step, strangeness: strangeness(familiar, vectorOf(network, image)) };
}

async function load(pageUrl: string, get: typeof fetch): Promise<Familiar> {
  const response = await get(new URL(STATISTICS, pageUrl)).catch(() => undefined);
  if (!response?.ok)
    throw new Failure('download', 'The statistics of the trained network could not be fetched.');
  return statisticsOf(new Uint8Array(await response.arrayBuffer()));
}

/** Reads statistics as scripts/trained/familiar.mjs writes them. */
export function statisticsOf(bytes: Uint8Array): Familiar {
  const { tensors } = parseTrained(bytes);
  const of = (name: string): ArrayLike<number> => tensors.get(name)?.data ?? [];
  return { means: of('means'), variances: of('variances') };
}

/** What an image is compared by. */
export function vectorOf(network: PretrainedNetwork, image: Uint8Array): Float32Array {
  const { model, tensors } = network;
  const x = inputOf(network, image);
  const shapes = inferShapes(model.layers, [1, ...model.input]);
  const outputs = forwardOutputs(shapes, x, (parameter) => tensors.get(parameter)?.data ?? []);
  return joined(vectorPlaces(shapes).map((place) => (place === IMAGES ? x : outputs[place].y)));
}
