/** The network that the next run starts from, which answers before the run does. */
import { Failure } from '../../base/result.ts';
import { elements } from '../../base/shape.ts';
import { softmax } from '../../base/softmax.ts';
import { inferShapes, layoutParameters } from '../../engine/network.ts';
import { Inference, type InferenceOptions } from '../../engine/inference.ts';
import { stateDictOf } from '../../engine/parameters.ts';
import type { Prediction } from '../../train/run.ts';
import type { RunConfig } from '../api.ts';
import type { Services } from '../services.ts';

/** The network of the last question: weights are slow to read. */
let last: { key: string; network: Promise<NextNetwork> } | undefined;

type NextNetwork = Pick<InferenceOptions, 'layers' | 'input' | 'parameters' | 'normalisation'>;

/**
 * @param config of a run that starts from trained weights
 * @param image C x H x W bytes
 * @throws Failure `not-found` if the weights are not available or some layers are new, `bad-input` if the weights do not
 *   fit or the image's size differs, `busy` while the GPU is measured
 */
export async function predictNext(
  services: Pick<Services, 'gpu' | 'runs' | 'settings' | 'supply' | 'tuningResults'>,
  config: RunConfig,
  image: Uint8Array,
): Promise<Prediction> {
  services.gpu.requireIdle();
  const { start, initialWeights, model, dataset, seed } = config;
  const key = JSON.stringify([start?.id, initialWeights, model, dataset, seed]);
  if (last?.key !== key) last = { key, network: networkOf(services, config) };
  const { network } = last;
  // A failure may pass.
  network.catch(() => (last = undefined));
  const parts = await network;
  if (image.length !== elements(parts.input))
    throw new Failure(
      'bad-input',
      `expected an image of ${parts.input.join(' x ')}, found ${image.length} bytes`,
    );
  const device = await services.supply.get();
  const known = services.tuningResults.known(device);
  const inference = await Inference.load(device, { ...parts, known, batchSize: 1, count: 1 });
  try {
    const inferred = await inference.run(image);
    return { probabilities: softmax(inferred?.logits ?? []), step: start?.step ?? 0 };
  } finally {
    inference.destroy();
  }
}

async function networkOf(
  { runs, settings }: Pick<Services, 'runs' | 'settings'>,
  config: RunConfig,
): Promise<NextNetwork> {
  const { made, rows } = await runs.begun(config, await settings.outlineOf(config));
  const fresh = rows.filter(({ status }) => status === 'missing' || status === 'other shape');
  if (fresh.length > 0)
    throw new Failure('not-found', `The next run’s ${fresh[0].name} is new and untrained. Select Train.`);
  const { layers, input } = made.model;
  const layout = layoutParameters(inferShapes(layers, [1, ...input]));
  const parameters = stateDictOf(layout, made.fork?.snapshot ?? {});
  return { layers, input, parameters, normalisation: made.dataset };
}
