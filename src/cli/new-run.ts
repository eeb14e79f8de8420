/** What a new run is by the command line: the options of `train`, and the configuration that they make. */
import { Failure } from '../base/result.ts';
import { readSafetensors } from '../data/formats/safetensors.ts';
import { WEIGHTS_INITS } from '../engine/init.ts';
import { convAlgorithms } from '../engine/ops/conv/algorithms/index.ts';
import { find } from '../engine/ops/conv/choice/find.ts';
import { convLayers, type ConvLayer, type Pin } from '../engine/ops/conv/choice/layers.ts';
import { DIRECTIONS } from '../engine/ops/conv/problem.ts';
import type { NumberType } from '../engine/plan.ts';
import type { TuningResults } from '../engine/ops/conv/choice/tuning-results.ts';
import type { Device } from '../gpu/device.ts';
import type { DeviceSupply } from '../gpu/supply.ts';
import { fitModel } from '../models/model.ts';
import type { SessionConfig } from '../train/config.ts';
import type { Stops } from '../train/stops.ts';
import {
  choice,
  flag,
  integer,
  optional,
  reals,
  text,
  texts,
  withDefault,
  type Values,
} from './arguments.ts';
import { workspaceOption } from './conv-options.ts';
import { readBytes } from './data.ts';
import { datasetNames, readNamedDataset } from './datasets.ts';
import { findDbOption } from './tuning-results.ts';
import { keepingOptions } from './keeping.ts';
import { memoryOptions } from './memory-options.ts';
import { modelOption, readModel } from './model.ts';
import { presetOption } from './preset.ts';
import { readRecipe, recipeOptions } from './recipe.ts';

export const runOptions = {
  preset: presetOption,
  model: modelOption,
  dataset: optional(text('NAME', `one of ${datasetNames()}; not needed to resume`)),
  'data-dir': optional(
    text(
      'DIR',
      "the data set's files, directly or in a folder of its name; for own, a folder of folders of images, or a zip",
    ),
  ),
  epochs: optional(integer('N', 'epochs to train', { min: 1 })),
  steps: optional(integer('N', 'or steps', { min: 1 })),
  'batch-size': withDefault(integer('N', 'images a step', { min: 1, max: 65536 }), 64),
  ...recipeOptions,
  seed: withDefault(
    integer('N', 'for parameters, the order of images, and all else that is drawn', { min: 0 }),
    1,
  ),
  'no-shuffle': flag('takes the images in file order, wrapping around'),
  mean: optional(reals('a,b,c', 'mean of each channel, of pixels from 0 to 1')),
  std: optional(reals('a,b,c', 'standard deviation of each channel', { min: 0, above: true })),
  init: optional(text('FILE.safetensors', "parameters to start from, under PyTorch's names")),
  'weights-init': optional(
    choice(WEIGHTS_INITS, 'how parameters start, unless --init has them (default: as the model says)'),
  ),
  save: optional(text('FILE.safetensors', 'gets the trained parameters')),
  'save-folded': optional(
    text('FILE.safetensors', 'gets them with batch norm folded into the layers before it, to answer with'),
  ),
  'eval-train': flag('evaluates on the training images in the end'),
  'conv-algorithm': withDefault(
    text('NAME|auto', `one of ${convAlgorithms.names().join(', ')}; what find found, or else is predicted`),
    'auto',
  ),
  pin: withDefault(
    texts('LAYER[.DIRECTION]=ALGORITHM[/LAUNCH]', 'convolutions whose algorithm is set: conv1.fprop=direct'),
    [],
  ),
  ...keepingOptions,
  workspace: workspaceOption,
  ...memoryOptions,
  tune: flag('first finds the fastest way for each convolution that is neither pinned nor known'),
  'find-db': findDbOption,
};

export type TrainOptions = Values<typeof runOptions>;

/** What a new run is. */
export async function newRun(
  options: TrainOptions,
  { db, supply, note }: { db: TuningResults; supply: DeviceSupply; note: (message: string) => void },
): Promise<SessionConfig> {
  const architecture = await readModel(options.model);
  if (options.dataset === undefined) {
    throw new Failure('bad-input', `--dataset NAME is missing: one of ${datasetNames()}`);
  }
  const { epochs, steps } = options;
  if ((epochs === undefined) === (steps === undefined)) {
    throw new Failure('bad-input', 'give either --epochs or --steps');
  }
  const algorithm = options['conv-algorithm'];
  const pins = options.pin.map(readPin);
  if (algorithm !== 'auto') pins.push({ algorithm: convAlgorithms.get(algorithm).name });
  const { workspace, 'weights-init': weightsInit } = options;
  if (weightsInit && options.init !== undefined) {
    throw new Failure('bad-input', 'give either --init or --weights-init');
  }
  const { info, dataset } = await readNamedDataset(options.dataset, {
    dataDir: options['data-dir'],
    trainOnly: steps !== undefined,
    shape: architecture.input,
    note,
  });
  const model = fitModel(architecture, dataset);
  const channels = (given: readonly number[] | undefined, name: string, usual: readonly number[]) => {
    if (given && given.length !== usual.length) {
      throw new Failure('bad-input', `--${name}: expected ${usual.length} numbers, found ${given.length}`);
    }
    return given ?? usual;
  };
  const mean = channels(options.mean, 'mean', dataset.mean);
  const std = channels(options.std, 'std', dataset.std);
  const stepsPerEpoch = dataset.train.count / options['batch-size'];
  const lastStep = steps ?? Math.ceil(((epochs as number) * dataset.train.count) / options['batch-size']);
  const recipe = readRecipe(options, {
    steps: lastStep,
    stepsPerEpoch,
    ...(info.augmentation ? { augmentation: info.augmentation } : {}),
  });
  const initial = options.init && readSafetensors(options.init, await readBytes(options.init)).tensors;
  if (options.tune) {
    const input = [options['batch-size'], ...model.input];
    await tune(await supply.get(), db, convLayers(model.layers, input), {
      pins,
      workspace,
      note,
      number: recipe.mixed?.number ?? 'f32',
    });
  }
  return {
    model,
    dataset: { ...dataset, mean, std },
    batchSize: options['batch-size'],
    ...recipe,
    seed: options.seed,
    shuffle: !options['no-shuffle'],
    lastStep,
    ...(weightsInit ? { weightsInit } : {}),
    ...(initial ? { initial } : {}),
    ...stopsOf(options),
    pins,
    workspace,
  };
}

/** The rules for stopping: as given, else those that the run had. */
export function stopsOf(
  { 'stop-at-accuracy': accuracy, patience }: TrainOptions,
  had: Stops = {},
): { stops?: Stops } {
  const stops = {
    ...had,
    ...(accuracy === undefined ? {} : { accuracy }),
    ...(patience === undefined ? {} : { patience }),
  };
  return Object.keys(stops).length > 0 ? { stops } : {};
}

interface TuneOptions {
  pins: readonly Pin[];
  workspace: number;
  /** How activations are stored. */
  number: NumberType;
  note: (message: string) => void;
}

/** Measures every convolution that is neither pinned nor known. */
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
      const words = best ? `${best.algorithm}, ${best.launch}` : 'nothing that is right';
      note(`${layer} ${direction}: ${words} of ${tried.length}, in ${(elapsedMs / 1000).toFixed(1)} s`);
      if (doubt !== undefined) note(doubt);
    }
  }
}

/** "conv1.fprop=direct/one thread per output". A layer's name may have dots in it. */
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
  return {
    layer,
    algorithm,
    ...(direction ? { direction } : {}),
    ...(launch === undefined ? {} : { launch }),
  };
}
