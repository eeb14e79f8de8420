/** What the next run starts from, and the settings that suit it. */
import { ok, type Result } from '../../base/result.ts';
import { fineTuningRate } from '../../run/settings/rules.ts';
import { trainedNetworks, type TrainedNetwork } from '../../run/trained.ts';
import type { ModelEntry } from '../../worker/api.ts';
import { chosenDataset } from '../actions/start.ts';
import { ask } from '../client.ts';
import { weightsStep, type RunRecord } from '../journal/record.ts';
import { useRuns } from '../journal/runs-store.ts';
import { OWN_MODEL } from '../state/own-model.ts';
import { DEFAULT_SETTINGS, defaultTexts, type Settings } from '../state/settings.ts';
import { useApp } from '../state/store.ts';

/** How much of a network is trained further. */
export type FineTuneExtent = 'all' | 'stage' | 'last';

/** Below so many training images of a class, more than the last layer would learn them by heart. */
const FEW = 6;
/** Above so many, there is enough to train all layers. */
const MANY = 200;

/** What so many training images of each class are enough for. */
export const extentFor = (images: number): FineTuneExtent =>
  images < FEW ? 'last' : images < MANY ? 'stage' : 'all';

/** The parts of a network that have parameters, in order: "conv1", "layer1" with all layers below it. */
export const stagesOf = (
  layers: readonly Pick<ModelEntry['layers'][number], 'name' | 'parameters'>[],
): string[] => [
  ...new Set(layers.filter(({ parameters }) => parameters > 0).map(({ name }) => name.split('.')[0])),
];

/** The frozen layers, as text: all but the last layer, all but the stage before it too, or none. */
export function frozenFor(stages: readonly string[], extent: FineTuneExtent): string {
  if (extent === 'all') return '';
  return stages.slice(0, extent === 'last' ? -1 : -2).join();
}

/** Which of them a text freezes; undefined for another choice of layers. */
export const extentOf = (stages: readonly string[], frozen: string): FineTuneExtent | undefined =>
  (['all', 'stage', 'last'] as const).find((extent) => frozenFor(stages, extent) === frozen);

/** Steps that a run on few images takes by default. */
const STEPS = 120;
const MOST_EPOCHS = 40;

/** The settings of a run that trains a trained network further. */
export function fineTuning(
  stages: readonly string[],
  { train, classes, batchSize }: { train: number; classes: number; batchSize: number },
): Partial<Settings> {
  const freeze = frozenFor(stages, extentFor(train / Math.max(1, classes)));
  const epochs = Math.ceil((STEPS * batchSize) / Math.max(1, train));
  return {
    ...defaultTexts('adam'),
    lr: String(fineTuningRate('adam', freeze !== '')),
    freeze,
    batchSize: String(batchSize),
    epochs: String(Math.min(MOST_EPOCHS, Math.max(2, epochs))),
  };
}

/** The trained networks for images of this shape. */
export const trainedFor = (shape: readonly number[]): TrainedNetwork[] =>
  trainedNetworks.all().filter((network) => network.shape.join() === shape.join());

/** Settings for the chosen data set, if the model is this one. */
function settingsFor(stages: readonly string[]): Partial<Settings> {
  const state = useApp.getState();
  const data = chosenDataset(state);
  const batchSize = Number(state.settings.batchSize) || 8;
  return fineTuning(stages, {
    train: data?.counts.train ?? 0,
    classes: data?.classes.length ?? 1,
    batchSize,
  });
}

const stagesOfNamed = (model: string): string[] =>
  stagesOf(useApp.getState().models.find(({ name }) => name === model)?.layers ?? []);

/** The next run starts from a network that the page comes with. */
export function startFromTrained({ name, model }: TrainedNetwork): void {
  useRuns.setState({ fork: undefined });
  useApp.getState().change({ ...settingsFor(stagesOfNamed(model)), model, initialWeights: name });
}

/** Few images are learnt from a trained network, unless something else than what the page starts with was chosen. */
export function startFromWhatSuits(): void {
  const state = useApp.getState();
  const { model, initialWeights } = state.settings;
  const data = chosenDataset(state);
  const [network] = trainedFor(data?.shape ?? []);
  const isChosen = model !== DEFAULT_SETTINGS.model || initialWeights !== '' || useRuns.getState().fork;
  if (!data || !network || isChosen) return;
  if (extentFor(data.counts.train / data.classes.length) !== 'all') startFromTrained(network);
}

/** The next run starts from random weights, and trains all layers. */
export function startFromScratch(): void {
  useRuns.setState({ fork: undefined });
  const { settings, change } = useApp.getState();
  const { lr } = defaultTexts(settings.optimizer as 'adam');
  change({ initialWeights: '', freeze: '', lr });
}

/** The next run starts from a kept run's weights, on the chosen data. */
export async function startFromRun({ id, config: { model } }: RunRecord): Promise<Result<void>> {
  const start = await ask((api) => api.runs.holdKept(id));
  if (!start.ok) return start;
  const { change, setOwnModel } = useApp.getState();
  const own = typeof model !== 'string';
  if (own) setOwnModel(model);
  const stages = own ? [] : stagesOfNamed(model);
  change({ ...settingsFor(stages), model: own ? OWN_MODEL : model, initialWeights: '' });
  useRuns.setState({ fork: start.value });
  return ok(undefined);
}

/** The runs whose weights are kept, the newest first, as many as a list shows. */
export const runsToStartFrom = (records: readonly RunRecord[] | undefined): RunRecord[] =>
  (records ?? [])
    .filter((record) => weightsStep(record) !== undefined)
    .toReversed()
    .slice(0, 8);
