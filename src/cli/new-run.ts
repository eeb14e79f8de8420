/** A new run from the command line: the options of `train`, and the configuration from them. */
import { Failure } from '../base/result.ts';
import { selectImages } from '../data/select.ts';
import { readSafetensors } from '../data/formats/safetensors.ts';
import { find } from '../engine/ops/conv/choice/find.ts';
import { activationLayout } from '../engine/layout.ts';
import { convLayers, type ConvLayer, type Pin } from '../engine/ops/conv/choice/layers.ts';
import { DIRECTIONS } from '../engine/ops/conv/problem.ts';
import { usualWorkspace } from '../engine/ops/conv/run.ts';
import type { NumberType } from '../engine/plan.ts';
import type { TuningResults } from '../engine/ops/conv/choice/tuning-results.ts';
import type { Device } from '../gpu/device.ts';
import type { DeviceSupply } from '../gpu/supply.ts';
import { matchText } from '../models/file/match.ts';
import { trainingConfig, type TrainingConfig } from '../train/config.ts';
import { begun, forkOfWeights } from '../train/fork.ts';
import {
  flag,
  inputFile,
  optional,
  output,
  reals,
  text,
  texts,
  withDefault,
  type Options,
  type Values,
} from './arguments.ts';
import type { Run } from './command.ts';
import { workspaceOption } from './conv-options.ts';
import { readBytes } from '../node/read.ts';
import { datasetNames, dataOptions, dataWanted, readNamedDataset } from './datasets.ts';
import { findDbOption } from './tuning-results.ts';
import { checkpointOptions } from './checkpointing.ts';
import { engineOption } from './engine-option.ts';
import { modelOption, readModel } from './model.ts';
import type { OutputFile } from './outputs.ts';
import { givenSettings, optionName, presetOption, readSettings, settingOptions } from './settings.ts';
import { readInitialWeights, weightsWithModel } from './weights.ts';

const weightsFile = (path: string): readonly OutputFile[] => [{ path, kind: 'weights' }];

export const runOptions = {
  preset: presetOption,
  model: modelOption,
  dataset: optional(text('NAME', `one of ${datasetNames()}; not needed to resume`)),
  ...dataOptions,
  ...settingOptions(),
  mean: optional(reals('a,b,c', 'Per-channel mean, for pixels in 0 to 1.')),
  std: optional(reals('a,b,c', 'Per-channel standard deviation.', { min: 0, above: true })),
  init: optional(
    inputFile('FILE.safetensors', "Parameters to start from, under PyTorch's names.", 'weights'),
  ),
  save: optional(output('FILE.safetensors', 'Save the trained parameters here.', weightsFile)),
  'save-folded': optional(
    output(
      'FILE.safetensors',
      'Save the parameters with batch norm folded in, for inference; their model to FILE.json.',
      weightsWithModel,
    ),
  ),
  'eval-train': flag('Also evaluate on the training set at the end.'),
  pin: withDefault(
    texts(
      'LAYER[.DIRECTION]=ALGORITHM[/LAUNCH]',
      'Pin the algorithm of a convolution, e.g. conv1.fprop=direct.',
    ),
    [],
  ),
  ...checkpointOptions,
  workspace: workspaceOption,
  tune: flag('Tune every convolution that is neither pinned nor already tuned before training.'),
  'find-db': findDbOption,
  engine: engineOption,
};

export type TrainOptions = Values<typeof runOptions>;

interface NewRunTools extends Pick<Run<Options>, 'note' | 'print'> {
  db: TuningResults;
  supply: DeviceSupply;
}

/** The configuration of a new run. */
export async function newRun(
  options: TrainOptions,
  { db, supply, note, print }: NewRunTools,
): Promise<TrainingConfig> {
  const architecture = await readModel(options.model);
  if (options.dataset === undefined) {
    throw new Failure('bad-input', `--dataset NAME is missing: one of ${datasetNames()}`);
  }
  const chosen = givenSettings(options);
  if ((chosen.epochs === undefined) === (chosen.steps === undefined)) {
    throw new Failure('bad-input', 'expected either --epochs or --steps');
  }
  const pins = options.pin.map(readPin);
  const { workspace } = options;
  if (options.init !== undefined && (chosen.weightsInit ?? chosen.initialWeights) !== undefined) {
    throw new Failure('bad-input', 'give either --init or one of --weights and --weights-init');
  }
  const { info, dataset } = await readNamedDataset(options.dataset, {
    ...dataWanted(options),
    trainOnly: chosen.steps !== undefined,
    shape: architecture.input,
    note,
  });
  const channels = (given: readonly number[] | undefined, name: string, usual: readonly number[]) => {
    if (given && given.length !== usual.length) {
      throw new Failure('bad-input', `--${name}: expected ${usual.length} numbers, found ${given.length}`);
    }
    return given ?? usual;
  };
  const mean = channels(options.mean, 'mean', dataset.mean);
  const std = channels(options.std, 'std', dataset.std);
  const settings = readSettings(options, info.augmentation);
  const images = await selectImages({ ...dataset, mean, std }, settings, optionName);
  const fresh = trainingConfig(settings, architecture, images, optionName);
  const { initialWeights: weights } = settings;
  const beginning =
    weights === undefined ? undefined : forkOfWeights(await readInitialWeights(weights), fresh);
  if (beginning) {
    note(`${weights}: ${matchText(beginning.rows)}`);
    print({ weights, tensors: beginning.rows });
    // A normalisation that is given counts.
    if (options.mean ?? options.std) delete beginning.normalisation;
  }
  const config = beginning ? begun(fresh, beginning) : fresh;
  const initial = options.init && readSafetensors(options.init, await readBytes(options.init)).tensors;
  if (options.tune && config.convAlgorithm !== 'auto') {
    throw new Failure('bad-input', 'give either --tune or --conv-algorithm');
  }
  if (options.tune) {
    const { model, batchSize, mixed } = config;
    const device = await supply.get();
    const input = [batchSize, ...model.input];
    const number = mixed?.number ?? 'f32';
    const layout = activationLayout(device, model.layers, input, number);
    await tune(device, db, convLayers(model.layers, input, layout), {
      pins,
      workspace: workspace ?? usualWorkspace(device),
      note,
      number,
    });
  }
  return { ...config, initial: initial || undefined, pins, workspace };
}

interface TuneOptions {
  pins: readonly Pin[];
  workspace: number;
  /** The type of stored activations. */
  number: NumberType;
  note: (message: string) => void;
}

/** Measures every convolution that is neither pinned nor in the tuning results. */
async function tune(
  device: Device,
  db: TuningResults,
  layers: readonly ConvLayer[],
  { pins, workspace, number, note }: TuneOptions,
): Promise<void> {
  for (const { layer, problem, directions } of layers) {
    for (const direction of directions) {
      const fits = (pin: Pin) => (pin.layer ?? layer) === layer && (pin.direction ?? direction) === direction;
      if (pins.some(fits) || db.known(device).entry(problem, direction, number, workspace)) continue;
      const found = await find(device, problem, direction, { workspace, number });
      await db.record(device, found);
      const { best, tried, elapsedMs, doubt } = found;
      const words = best ? `${best.algorithm}, ${best.launch}` : 'no correct result';
      note(`${layer} ${direction}: ${words} of ${tried.length}, in ${(elapsedMs / 1000).toFixed(1)} s`);
      if (doubt !== undefined) note(doubt);
    }
  }
}

/** "conv1.fprop=direct/one thread per output". A layer's name may contain dots. */
function readPin(word: string): Pin {
  const [, place, algorithm, launch] = /^([^=]+)=([^/]+)(?:\/(.+))?$/.exec(word) ?? [];
  if (place === undefined) {
    throw new Failure(
      'bad-input',
      `--pin: expected LAYER=ALGORITHM or LAYER.DIRECTION=ALGORITHM, found "${word}"`,
    );
  }
  const direction = DIRECTIONS.find((one) => place.endsWith(`.${one}`));
  const layer = direction ? place.slice(0, -direction.length - 1) : place;
  return { layer, algorithm, direction, launch };
}
