/** Weights that a run can start from: of another run, of a file, or those that the page comes with. */
import { lazily } from '../../base/lazily.ts';
import { trainedNetworks } from '../../run/trained.ts';
import type { Checkpoint } from '../../train/checkpoint.ts';
import type { TrainingConfig } from '../../train/config.ts';
import type { Beginning, InitialWeights } from '../../train/fork.ts';

const forking = lazily(() => import('../../train/fork.ts'));
const fetching = lazily(() => import('../../data/fetch-bytes.ts'));
const weightsFiles = lazily(() => import('../runs/weights.ts'));

/** Holds only the last weights, because they are large. */
export class HeldStart {
  private held: { id: string; begin(config: TrainingConfig): Promise<Beginning> } | undefined;

  /** Holds a run's state, including its optimiser's. */
  hold(id: string, checkpoint: Checkpoint): void {
    this.held = { id, begin: async (config) => (await forking()).forkOf(checkpoint, config) };
  }

  /** Holds only weights. */
  bring(id: string, weights: InitialWeights): void {
    this.held = { id, begin: async (config) => (await forking()).forkOfWeights(weights, config) };
  }

  /** A run of `config` that starts from them; undefined if others are held. @throws Failure `bad-input` if they do not fit */
  async find(id: string, config: TrainingConfig): Promise<Begun | undefined> {
    return this.held?.id === id ? begunBy(config, await this.held.begin(config)) : undefined;
  }
}

/** A run that starts from trained weights. */
export interface Begun {
  made: TrainingConfig;
  /** What it takes of them; empty if it takes a run's whole state. */
  rows: Beginning['rows'];
}

const begunBy = async (config: TrainingConfig, beginning: Beginning): Promise<Begun> => ({
  made: (await forking()).begun(config, beginning),
  rows: beginning.rows,
});

/** A run of `config` that starts from these weights. @throws Failure `bad-input` if they do not fit */
export const begunFrom = async (weights: InitialWeights, config: TrainingConfig): Promise<Begun> =>
  begunBy(config, (await forking()).forkOfWeights(weights, config));

/** The largest file of weights that the page comes with. */
const MAX_BYTES = 2 ** 24;

/**
 * The file of a network's weights that the page comes with.
 * @param pageUrl the page's folder, ending in "/"
 * @throws Failure `not-found` if there is none of this name, `download` if it cannot be fetched
 */
export async function shippedFile(name: string, pageUrl: string): Promise<Uint8Array<ArrayBuffer>> {
  const { file } = trainedNetworks.get(name);
  const { fetchBytes } = await fetching();
  return fetchBytes(new URL(file, pageUrl).href, MAX_BYTES, { fetch: (...request) => fetch(...request) });
}

/** The weights in it. @throws Failure as `shippedFile` */
export async function shippedWeights(name: string, pageUrl: string): Promise<InitialWeights> {
  const [bytes, { readWeights }] = await Promise.all([shippedFile(name, pageUrl), weightsFiles()]);
  return readWeights(trainedNetworks.get(name).title, bytes);
}
