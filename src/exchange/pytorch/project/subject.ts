/** What a PyTorch project is written from: a network with the run that trained it, or with default settings. */
import { datasets } from '../../../data/catalogue.ts';
import type { DatasetInfo } from '../../../data/dataset.ts';
import { OWN } from '../../../data/own/info.ts';
import {
  inferShapes,
  isFrozen,
  layoutParameters,
  type ParameterEntry,
  type ParameterLayout,
} from '../../../engine/network.ts';
import {
  decayFactors,
  EVERY_EPOCH,
  rateFactors,
  trainedEpochs,
  type TrainedEpochs,
} from '../../../engine/optimizers/block-table.ts';
import { optimizers } from '../../../engine/optimizers/registry.ts';
import { flatten, type ParameterSnapshot } from '../../../engine/parameters.ts';
import type { Normalisation } from '../../../engine/samples.ts';
import { pytorchModule, type PytorchModule } from '../../../models/code/pytorch.ts';
import type { Trained } from '../../../models/file/weights.ts';
import type { Model } from '../../../models/model.ts';
import { bestEvaluation, choosingAccuracy } from '../../../run/metrics/rows.ts';
import { completed, trainedOn } from '../../../run/settings/rules.ts';
import type { RunSettings } from '../../../run/settings/table.ts';
import {
  actedOn,
  changesInWords,
  changesOf,
  settingsAt,
  type SettingChange,
} from '../../../run/settings/adjustments.ts';
import type { Checkpoint } from '../../../train/checkpoint.ts';
import type { LearningRate } from '../../../train/schedules/learning-rate.ts';

export interface ProjectSubject {
  model: Model;
  /** Its Python source. */
  module: PytorchModule;
  layout: ParameterLayout;
  /** Undefined for the user's own images in folders. */
  dataset: DatasetInfo | undefined;
  normalisation: Normalisation;
  /** As they are at `step`. */
  settings: RunSettings;
  /** What changed until then. */
  changes: SettingChange[];
  /** Steps done. */
  step: number;
  /** Steps that the optimiser had done before the run, in the run that it was forked from. */
  earlier: number;
  /** Steps of the whole run. */
  steps: number;
  /** Absent: it stays constant. */
  learningRate?: LearningRate | undefined;
  snapshot: ParameterSnapshot;
  /** The best accuracy so far, of those that the run is judged by, and its epoch. */
  best?: { accuracy: number; epoch: number } | undefined;
  /** Of the run's files, without extensions. */
  name: string;
}

/** Epochs for a network without a run, and for a run without an end. */
const MORE_EPOCHS = 10;

/** Images in an epoch, where the data set is not known. */
const UNKNOWN_COUNT = 1000;

/** @param own the user's own images, if their files are part of the project */
export function subjectOf(trained: Trained, run: Checkpoint | undefined, own?: DatasetInfo): ProjectSubject {
  const { model, parameters, info } = trained;
  const name = run?.dataset.name ?? info.dataset ?? OWN;
  const dataset = datasets.has(name) ? datasets.get(name) : own;
  const layout = layoutParameters(inferShapes(model.layers, [1, ...model.input]));
  const channels = model.input[0];
  const common = { model, module: pytorchModule(model), layout, dataset, name: model.name };
  const count = dataset?.counts.train ?? UNKNOWN_COUNT;
  if (!run) {
    const settings = completed({});
    return {
      ...common,
      normalisation: info.normalisation ??
        dataset ?? { mean: Array(channels).fill(0.5), std: Array(channels).fill(0.25) },
      settings,
      changes: [],
      step: 0,
      earlier: 0,
      steps: Math.ceil((MORE_EPOCHS * count) / settings.batchSize),
      snapshot: flatten(layout, parameters),
    };
  }
  const { config, step, snapshot, history } = run;
  const best = bestEvaluation(history.evaluations);
  return {
    ...common,
    normalisation: run.dataset,
    settings: settingsAt(config, config.adjustments, step),
    changes: changesInWords(changesOf(config, actedOn(config.adjustments ?? [], step))),
    step,
    earlier: config.fork?.steps ?? 0,
    steps: config.lastStep ?? step + Math.ceil((MORE_EPOCHS * trainedOn(count, config)) / config.batchSize),
    learningRate: config.learningRate,
    snapshot,
    best: best && { accuracy: choosingAccuracy(best), epoch: best.epoch },
  };
}

/** Whether the run evaluates averages of its weights instead of the weights themselves. */
export const isAveraged = ({ settings: { ema, lookahead } }: ProjectSubject): boolean =>
  ema !== undefined || lookahead !== undefined;

/** Whether the network has a layer of this op. */
export const uses = ({ model }: ProjectSubject, op: string): boolean =>
  model.layers.some((layer) => layer.op === op);

/** How the optimiser treats a parameter: those that are treated alike are one group of PyTorch's. */
export interface Treatment {
  /** Of the learning rate. */
  factor: number;
  isDecayed: boolean;
  /** Of weight decay; 0 if it is not decayed. */
  decay: number;
  /** Muon updates it as a matrix. */
  isMatrix: boolean;
}

export interface ParameterGroup extends Treatment {
  entries: ParameterEntry[];
}

/** What differs between the groups. */
export const differing = (subject: ProjectSubject): (keyof Treatment)[] => {
  const { settings } = subject;
  const all: Record<keyof Treatment, boolean> = {
    factor: settings.lrFactors.length > 0,
    isDecayed: settings.weightDecay > 0 && !settings.decay1d && settings.decayFactors.length === 0,
    decay: settings.weightDecay > 0 && settings.decayFactors.length > 0,
    isMatrix: optimizers.get(settings.optimizer).matrices !== undefined,
  };
  return (Object.keys(all) as (keyof Treatment)[]).filter((key) => all[key]);
};

/** The trained parameters, in the order of the network's modules and of the optimiser's groups. */
export function groupsOf(subject: ProjectSubject): ParameterGroup[] {
  const { layout, module, settings } = subject;
  const names = layout.entries.map(({ name }) => name);
  const factorOf = rateFactors(settings.lrFactors, names);
  const decayOf = decayFactors(settings, names);
  const keys = differing(subject);
  const groups = new Map<string, ParameterGroup>();
  for (const layer of module.layers) {
    if (isFrozen(settings.freeze, layer)) continue;
    for (const entry of layout.entries.filter((one) => one.layer === layer)) {
      const treatment: Treatment = {
        factor: factorOf(entry.name),
        isDecayed: settings.decay1d || entry.shape.length > 1,
        decay: decayOf(entry),
        isMatrix: entry.shape.length > 1 && entry.name !== lastMatrix(subject),
      };
      const key = JSON.stringify(keys.map((one) => treatment[one]));
      const group = groups.get(key) ?? { ...treatment, entries: [] };
      group.entries.push(entry);
      groups.set(key, group);
    }
  }
  return [...groups.values()];
}

/** The name of the last layer's weights, which Muon does not update as a matrix. */
export const lastMatrix = ({ layout }: ProjectSubject): string =>
  layout.entries.findLast(({ shape }) => shape.length > 1)?.name ?? '';

/** The parameters that are trained in some epochs only. */
export function trainedInSome({
  layout,
  settings,
}: ProjectSubject): { name: string; epochs: TrainedEpochs }[] {
  const names = layout.entries.map(({ name }) => name);
  const epochsOf = trainedEpochs(settings.trainedEpochs, names);
  return layout.entries
    .filter(({ layer }) => !isFrozen(settings.freeze, layer))
    .map(({ name }) => ({ name, epochs: epochsOf(name) }))
    .filter(({ epochs }) => epochs !== EVERY_EPOCH);
}
