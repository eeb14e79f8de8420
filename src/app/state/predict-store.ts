/** Predicting whole sets of images: what is chosen, and the last result. */
import { create } from 'zustand';
import type { GroundChoice } from '../../base/pixels/prepare.ts';
import { trainedNetworks } from '../../run/trained.ts';
import { fail, ok, type FailureValue, type Result } from '../../base/result.ts';
import type { GivenFile, ModelFile, PredictedSet, PredictWeights } from '../../worker/api.ts';
import { ask } from '../client.ts';
import { onEvent } from '../events.ts';
import { bytesOf } from '../files.ts';
import { useRuns } from '../journal/runs-store.ts';
import { failureToShow } from '../measured-run.ts';
import { useApp } from './store.ts';

/** Weights of the open run, instead of a saved run's id. */
export const CURRENT = 'current';
/** Weights or images from files that were opened. */
export const OPENED = 'opened';

interface PredictState {
  /** The id of a saved run, the name of a network that the page comes with, CURRENT or OPENED. */
  chosen: string;
  /** The weights' file that was opened, with the model's if one came with it. */
  file: { name: string; bytes: Uint8Array; model?: ModelFile } | undefined;
  /** A data set's name, or OPENED. Undefined until one is chosen. */
  images: string | undefined;
  files: { files: GivenFile[]; from: string } | undefined;
  /** Whether grey images on another ground than those of the training are turned. */
  ground: GroundChoice;
  progress: { done: number; total: number } | undefined;
  error: FailureValue | undefined;
  result: { set: PredictedSet; weights: string; images: string } | undefined;
}

export const usePredict = create<PredictState>()(() => ({
  chosen: CURRENT,
  file: undefined,
  images: undefined,
  files: undefined,
  ground: 'auto',
  progress: undefined,
  error: undefined,
  result: undefined,
}));

onEvent('predict', ({ done, total }) =>
  usePredict.setState(({ progress }) => (progress ? { progress: { done, total } } : {})),
);

/** The largest weights to open, in bytes. */
const LARGEST = 1e9;

/** Opens weights, and their model if its file is chosen with them. */
export async function openWeights(files: readonly File[]): Promise<void> {
  const find = (ending: string) => files.find(({ name }) => name.toLowerCase().endsWith(ending));
  const [weights, json] = [find('.safetensors'), find('.json')];
  if (!weights || weights.size > LARGEST) {
    const found = weights ? `${weights.size} bytes` : files.map(({ name }) => name).join(', ');
    return refuse({
      code: 'bad-file',
      message: `Expected a .safetensors file of at most 1 GB, found ${found}.`,
    });
  }
  let model: ModelFile | undefined;
  if (json) {
    const text = await json.text();
    const read = await ask((api) => api.builder.readModel(json.name, text));
    if (!read.ok) return refuse(read.error);
    model = read.value;
  }
  const bytes = await bytesOf(weights);
  if (!bytes.ok) return refuse(bytes.error);
  usePredict.setState({
    file: { name: weights.name, bytes: bytes.value, model },
    chosen: OPENED,
    error: undefined,
  });
}

const refuse = (error: FailureValue): void => usePredict.setState({ error });

/** Uses files as images: pictures, those of a folder, or archives. */
export function openImages(files: readonly File[]): void {
  const given = files.map((file) => ({ path: file.webkitRelativePath || file.name, file }));
  const [folder] = given[0].path.split('/');
  usePredict.setState({ files: { files: given, from: folder }, images: OPENED, error: undefined });
}

async function chosenWeights(): Promise<Result<PredictWeights>> {
  const { chosen, file } = usePredict.getState();
  if (chosen === CURRENT) return ok({ name: 'the current run' });
  if (chosen === OPENED && file) return ok(file);
  if (trainedNetworks.has(chosen)) return ok({ name: trainedNetworks.get(chosen).title, shipped: chosen });
  const record = useRuns.getState().records?.find(({ id }) => id === chosen);
  if (!record) return fail({ code: 'not-found', message: 'The weights of this run are not available.' });
  const weights = await ask((api) => api.runs.keptWeights(record.id));
  if (!weights.ok) return weights;
  const { model, dataset } = record.config;
  return ok({ name: record.name, bytes: weights.value, model, dataset });
}

/** @param images a data set's name, or OPENED */
export async function predict(images: string): Promise<void> {
  const { files, ground } = usePredict.getState();
  const weights = await chosenWeights();
  if (!weights.ok) return refuse(weights.error);
  usePredict.setState({ progress: { done: 0, total: 0 }, error: undefined });
  const source = images === OPENED && files ? files : { dataset: images };
  const answer = await ask((api) => api.predict.predictSet(weights.value, { ...source, ground }));
  const dataset = useApp.getState().datasets.find(({ name }) => name === images);
  const title = dataset ? `${dataset.title}, test` : (files?.from ?? images);
  usePredict.setState({
    progress: undefined,
    ...(answer.ok
      ? { result: { set: answer.value, weights: weights.value.name, images: title } }
      : { error: failureToShow(answer.error) }),
  });
}
