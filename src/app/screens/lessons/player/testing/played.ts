/** Trains what a pupil trains in a lesson, by its own file, in Node. e2e/lessons.ts does the same in the page. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { photo } from '../../../../../../e2e/photos.ts';
import { NO_AUGMENTATION } from '../../../../../base/augmentation.ts';
import { lazily } from '../../../../../base/lazily.ts';
import { readDataset } from '../../../../../cli/data.ts';
import { readOwnDataset } from '../../../../../cli/own.ts';
import { readInitialWeights } from '../../../../../cli/weights.ts';
import { datasets } from '../../../../../data/catalogue.ts';
import type { Dataset, DatasetInfo } from '../../../../../data/dataset.ts';
import { selectImages } from '../../../../../data/select.ts';
import { zipOf } from '../../../../../data/testing.ts';
import { openDevice } from '../../../../../gpu/device.ts';
import { DeviceSupply } from '../../../../../gpu/supply.ts';
import { parseModel } from '../../../../../models/file/parse.ts';
import { models } from '../../../../../models/index.ts';
import { summarise, type Model } from '../../../../../models/model.ts';
import { nodeCpu } from '../../../../../node/cpu.ts';
import type { Evaluation, StepRow } from '../../../../../run/metrics/rows.ts';
import { trainingConfig } from '../../../../../train/config.ts';
import { begun, forkOfWeights } from '../../../../../train/fork.ts';
import { TrainingRun } from '../../../../../train/run.ts';
import type { RunConfig } from '../../../../../worker/api.ts';
import { fineTuning, stagesOf } from '../../../../finetune/start-from.ts';
import { readLink, VERSION } from '../../../../share/link.ts';
import { OWN_MODEL } from '../../../../state/own-model.ts';
import { readSettings } from '../../../../state/read-settings.ts';
import { batchFor, type Settings } from '../../../../state/settings.ts';
import { useApp } from '../../../../state/store.ts';
import type { CheckedSetup } from '../../../../../lessons/checks.ts';
import type { Lesson } from '../../../../../lessons/format.ts';
import { setupOf } from '../moment.ts';

/** What the form has when a pupil selects Train. */
interface Prepared {
  settings: Settings;
  network?: Model | undefined;
}

/** A run that was trained to its end. */
export interface Played {
  setup: CheckedSetup;
  rows: StepRow[];
  evaluations: Evaluation[];
  diverged: boolean;
  /** How sure it was of each test image that it read rightly in the last test, the least sure first. */
  confidences: number[];
}

/** Twenty photos of each of two things. */
const things = lazily(async (): Promise<{ info: DatasetInfo; dataset: Dataset }> => {
  const folder = mkdtempSync(join(tmpdir(), 'wgrad-things-'));
  const path = join(folder, 'things.zip');
  const files = ['ball', 'star'].flatMap((thing) =>
    Array.from({ length: 20 }, (_, i) => ({ path: `things/${thing}/${i}.png`, data: photo(thing, i) })),
  );
  writeFileSync(path, zipOf(files));
  const { input: shape } = models.get('resnet20');
  return readOwnDataset(path, { shape, note: () => undefined }).finally(() =>
    rmSync(folder, { recursive: true }),
  );
});

const imagesOf = async (name: string): Promise<{ info: DatasetInfo; dataset: Dataset }> => {
  if (name === 'own') return things();
  const info = datasets.get(name);
  return { info, dataset: await readDataset(info) };
};

type Change = (before: Prepared) => Prepared | Promise<Prepared>;

/** What a pupil changes before a task, by its number from 1. */
const CHANGES: Readonly<Record<string, Readonly<Record<number, Change>>>> = {
  'learning-rate': { 3: ({ settings }) => ({ settings: { ...settings, lr: '0.1' } }) },
  pooling: {
    4({ settings }) {
      const lenet = models.get(settings.model);
      const layers = lenet.layers.filter(({ op }) => op !== 'max_pool');
      return { settings: { ...settings, model: OWN_MODEL }, network: { ...lenet, layers } };
    },
  },
  'own-photos': {
    async 3({ settings }) {
      const { counts, classes } = (await things()).info;
      const batchSize = Number(batchFor(settings.batchSize, 0, counts.train));
      const stages = stagesOf(summarise(models.get(settings.model)).layers);
      const tuning = fineTuning(stages, { train: counts.train, classes: classes.length, batchSize });
      return { settings: { ...settings, ...tuning, initialWeights: 'resnet20-cifar-10' } };
    },
  },
};

/** For each task what is set when it is done: what it prepares itself, or what was set in the task before it. */
export async function preparedOf(name: string, lesson: Lesson): Promise<Prepared[]> {
  const names = { models: models.all(), datasets: [...datasets.all(), { name: 'own', title: '' }] };
  const read = (parameters: Lesson['settings'], given: Lesson['network']): Prepared => {
    const settings = readLink({ ...parameters, v: VERSION }, names).settings as Settings;
    const network = given && parseModel(name, JSON.stringify(given));
    return { settings: network ? { ...settings, model: OWN_MODEL } : settings, network };
  };
  let now = read(lesson.settings, lesson.network);
  const prepared: Prepared[] = [];
  for (const [i, { settings, network }] of lesson.tasks.entries()) {
    if (settings ?? network) now = read(settings ?? lesson.settings, network ?? lesson.network);
    now = (await CHANGES[name]?.[i + 1]?.(now)) ?? now;
    prepared.push(now);
  }
  return prepared;
}

const supply = new DeviceSupply(() => openDevice(nodeCpu()));

/** Trains to the end on the CPU engine, or until it breaks down. */
export async function played({ settings, network }: Prepared, seed: number): Promise<Played> {
  useApp.setState({
    models: models.all().map((model) => ({ ...model, ...summarise(model), inputShape: model.input })),
  });
  const { info, dataset } = await imagesOf(settings.dataset);
  const data = { augmentation: NO_AUGMENTATION, ...info };
  const { config, errors } = readSettings({ ...settings, seed: String(seed) }, data);
  if (!config) throw new Error(`expected settings that can be trained, found ${JSON.stringify(errors)}`);
  const { model, dataset: _name, ...given } = config;
  const images = await selectImages(dataset, given);
  const fresh = trainingConfig(given, network ?? models.get(String(model)), images);
  const { initialWeights } = given;
  const whole =
    initialWeights === undefined
      ? fresh
      : begun(fresh, forkOfWeights(await readInitialWeights(initialWeights), fresh));
  const result: Omit<Played, 'setup'> = { rows: [], evaluations: [], diverged: false, confidences: [] };
  const run = new TrainingRun(whole, supply, {
    steps: (rows) => result.rows.push(...rows),
    evaluation(evaluation, { confidences, predictions }) {
      result.evaluations.push(evaluation);
      const right = confidences.filter((_, i) => predictions[i] === images.test?.labels[i]);
      result.confidences = [...right.toSorted()];
    },
    state: (_state, _at, error) => (result.diverged ||= error?.code === 'diverged'),
  });
  run.train();
  await run.settled();
  await run.close();
  const shown = { ...config, model: network ?? model } as RunConfig;
  return { setup: setupOf(shown, useApp.getState()), ...result };
}
