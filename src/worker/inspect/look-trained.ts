/** A look into the network that comes with the page: computed by the float64 references, without a device or a run. */
import { elements } from '../../base/shape.ts';
import { softmax } from '../../base/softmax.ts';
import { IMAGES } from '../../engine/graph.ts';
import { overviewChannels } from '../../engine/inspect.ts';
import { inferShapes } from '../../engine/network.ts';
import { problemOf, type ConvAttributes } from '../../engine/ops/conv/index.ts';
import { workOutPixel } from '../../engine/ops/conv/pixel.ts';
import { weightShape } from '../../engine/ops/conv/problem.ts';
import type { Look, LookRequest, TrainedPrediction } from '../api.ts';
import { inputOf, trainedNetwork, trainedOutputs } from '../trained/trained.ts';
import { workOut } from './arithmetic.ts';
import { lookLayers } from './layers.ts';
import { firstFiltered, lookPixel, nameOf, placeOf } from './look.ts';

/** @param pageUrl the page's folder, ending in "/" */
export async function lookTrained(
  { image, layer: named, pixel, maps }: LookRequest,
  pageUrl: string,
  get: typeof fetch,
): Promise<Look & TrainedPrediction> {
  const network = await trainedNetwork(pageUrl, get);
  const { model, tensors, step, testAccuracy } = network;
  const x = inputOf(network, image);
  const shapes = inferShapes(model.layers, [1, ...model.input]);
  const outputs = trainedOutputs(network, x);
  const valuesAt = (place: number) => Float32Array.from(place === IMAGES ? x : outputs[place]);
  const layers = lookLayers(model, { shapes });
  const name = named ?? firstFiltered({ shapes });
  const place = placeOf({ shapes }, name);
  const shown =
    maps?.filter((one) => layers.some((layer) => layer.name === one)) ?? layers.map((one) => one.name);
  const overviewOf = (one: string) => {
    const { shape } = layers[placeOf({ shapes }, one) + 1];
    const count = overviewChannels([1, ...shape]) * elements(shape.slice(1));
    return valuesAt(placeOf({ shapes }, one)).subarray(0, count).slice();
  };
  const values = valuesAt(place);
  const look: Look & TrainedPrediction = {
    step,
    testAccuracy,
    probabilities: softmax(outputs[outputs.length - 1]),
    layers,
    overviews: Object.fromEntries(shown.map((one) => [one, overviewOf(one)])),
    output: { layer: name, shape: layers[place + 1].shape, values },
  };
  if (place === IMAGES) return look;
  const shape = shapes[place];
  const { layer, op, sources, input, parameters } = shape;
  const own = Object.fromEntries(
    parameters.map((one) => [
      one.name,
      Float32Array.from(tensors.get(`${layer.name}.${one.name}`)?.data ?? []),
    ]),
  );
  if (op.name !== 'conv') {
    const inputs = sources.map((source) => ({ name: nameOf({ shapes }, source), values: valuesAt(source) }));
    const terms = pixel && workOut({ shape, inputs, output: values, own }, pixel);
    return terms ? { ...look, terms } : look;
  }
  const problem = problemOf(shape.attributes as ConvAttributes, input);
  const { weight: weights, bias } = own;
  const filters = { shape: weightShape(problem), weights, bias };
  const { K, P, Q } = problem;
  if (!pixel || pixel.k >= K || pixel.p >= P || pixel.q >= Q) return { ...look, filters };
  const taken = valuesAt(sources[0]);
  const worked = workOutPixel(problem, taken, weights, bias, pixel);
  const at = values[(pixel.k * P + pixel.p) * Q + pixel.q];
  const explained = { ...worked, network: at, error: Math.abs(worked.sum - at) / (worked.magnitude || 1) };
  return {
    ...look,
    filters,
    pixel: lookPixel(problem, pixel, explained, taken, nameOf({ shapes }, sources[0])),
  };
}
