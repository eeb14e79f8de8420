/** Writes a run's network, or one with initial weights, in the formats of other programs. */
import { Failure, unlessFailure } from '../../base/result.ts';
import { writeZip } from '../../data/formats/zip-write.ts';
import type { Dataset } from '../../data/dataset.ts';
import { inferShapes, layoutParameters } from '../../engine/network.ts';
import { EXPORTERS, type Exporter } from '../../exchange/exporters.ts';
import { foldModel } from '../../models/file/folded.ts';
import type { Trained } from '../../models/file/weights.ts';
import { initialWeights } from '../../models/file/initial.ts';
import type { Checkpoint } from '../../train/checkpoint.ts';
import type { ExportChoice, Exported, ExportFormatEntry, ExportOffer, ExportSource } from '../api.ts';
import { customModel } from '../builder/custom.ts';
import { projectData } from './project-data.ts';
import { requireSame } from '../runs/same-data.ts';
import { trainedFrom } from '../predict/trained-from.ts';
import type { Services } from '../services.ts';

const FORMATS: Readonly<Record<string, Exporter>> = EXPORTERS;

/** What is exported. */
interface Subject {
  trained: Trained;
  step?: number;
  /** On how many images it was tested. */
  testImages?: number | undefined;
  /** Where it can train on from. */
  run?: Checkpoint | undefined;
  /** Those that it was trained on. @throws Failure if they are gone, or others by now */
  images(): Promise<Dataset>;
}

/** @throws Failure `not-found` if there are no weights */
export async function exportOffer(services: Services, source: ExportSource): Promise<ExportOffer> {
  const { trained, step } = await subjectOf(services, source);
  const { model, info } = trained;
  return {
    formats: Object.entries(FORMATS).map(([name, exporter]) => entryOf(name, exporter)),
    model: model.title,
    parameters: layoutParameters(inferShapes(model.layers, [1, ...model.input])).count,
    step,
    folds: model.layers.some(({ op }) => op === 'batch_norm'),
    normalised: info.normalisation !== undefined,
  };
}

const entryOf = (name: string, { title, summary, normalises }: Exporter): ExportFormatEntry => ({
  name,
  title,
  summary,
  normalises: normalises === true,
});

/** @throws Failure as `exportOffer`; `unsupported` with the layer that the format does not have */
export async function exportNetwork(
  services: Services,
  source: ExportSource,
  { format, fold, normalise }: ExportChoice,
): Promise<Exported> {
  const exporter = FORMATS[format];
  if (!exporter) throw new Failure('not-found', `There is no format ${format}.`);
  const { trained, run, testImages, images } = await subjectOf(services, source);
  const { pageUrl } = services;
  const network = fold && !exporter.trains ? foldModel(trained.model, trained.parameters) : trained;
  const { name } = network.model;
  const notes: string[] = [];
  const note = (text: string) => void notes.push(text);
  if (fold && exporter.trains)
    note(`A ${exporter.title} project trains on, so its batch norm is not folded.`);
  const files = await exporter.write({ ...trained, ...network }, name, {
    run,
    testImages,
    normalise,
    note,
    ...(exporter.trains
      ? await projectData(run?.dataset.name ?? trained.info.dataset, { pageUrl, own: images, note })
      : {}),
  });
  const packed = [...files].map(([path, bytes]) => ({ path, bytes }));
  const [first] = packed;
  return packed.length === 1
    ? { file: first.path, bytes: first.bytes, notes }
    : { file: `${name}-${format}.zip`, bytes: await writeZip(packed), notes };
}

async function subjectOf(services: Services, source: ExportSource): Promise<Subject> {
  const { datasets, runs, store } = services;
  const options = { datasets, run: () => runs.run };
  if ('model' in source) {
    const model = customModel(source.model);
    const images = () => Promise.reject(new Failure('not-found', 'There is no run.'));
    return { trained: { model, parameters: initialWeights(model), info: {} }, images };
  }
  if ('open' in source) {
    const trained = await trainedFrom({ name: 'the open run' }, options);
    const { run } = runs;
    const { dataset } = run.config;
    const testImages = dataset.test?.count;
    return { trained, step: run.steps, run: run.checkpoint, testImages, images: async () => dataset };
  }
  const { name, config, confusion } = await store.get(source.run);
  const testImages = confusion?.reduce((sum, some) => sum + some, 0);
  const { step, bytes } = await store.files.weights(source.run);
  const { model, dataset } = config;
  const trained = await trainedFrom({ name, bytes, model, dataset }, options);
  // A damaged checkpoint leaves the weights.
  const found = await store.files.checkpoint(source.run).catch(unlessFailure);
  const images = async () => {
    const now = await datasets.get(dataset);
    if (found) await requireSame(found.value, now);
    return now;
  };
  return { trained, step, run: found?.value, testImages, images };
}
