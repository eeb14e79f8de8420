/** The options of a trainer. */
import { chooseAll, type ChoiceOptions, type ConvChoices } from '../engine/ops/conv/choice/layers.ts';
import { fitting, withoutShader, type Chooser, type Refitted } from '../engine/ops/conv/choice/refit.ts';
import type { Views } from '../engine/gather/index.ts';
import { requireMixed } from '../engine/mixed.ts';
import { optimizers } from '../engine/optimizers/registry.ts';
import type { TrainerOptions } from '../engine/trainer.ts';
import type { Device } from '../gpu/device.ts';
import type { ShaderFailure } from '../gpu/kernels.ts';
import { classWeightsOf } from './class-weights.ts';
import type { TrainingConfig } from './config.ts';

/** @throws Failure if a pin or the setting names something unknown or unsupported, or the device has no mixed precision */
export function chooseConvolutions(
  device: Device,
  { model, batchSize, pins, convAlgorithm, workspace, known, mixed }: TrainingConfig,
  misfits: Pick<ChoiceOptions, 'onMisfit' | 'pinnedElsewhere'> = {},
): ConvChoices {
  if (mixed) requireMixed(device, mixed);
  return chooseAll(device, model.layers, [batchSize, ...model.input], {
    pins,
    algorithm: convAlgorithm,
    workspace,
    known: known?.(device),
    number: mixed?.number,
    ...misfits,
  });
}

/**
 * The choices that were made, as far as this device has them. All are chosen again for the other engine, whose algorithms and
 * launches differ.
 */
export function choicesFor(
  device: Device,
  config: TrainingConfig,
  made: ConvChoices | undefined = config.choices,
): Refitted {
  if (made && (made.cpu ?? false) === device.adapter.cpu)
    return fitting(chooserOf(device, config), made, () => config.known?.(device));
  const changed: string[] = [];
  const choices = chooseConvolutions(device, config, {
    onMisfit: (convolution) => changed.push(convolution),
    pinnedElsewhere: made !== undefined,
  });
  return { choices, changed };
}

/** Direct convolution in place of launches whose shader does not compile here. */
export const choicesWithout = (
  { shader }: ShaderFailure,
  device: Device,
  config: TrainingConfig,
  made: ConvChoices,
): Refitted => withoutShader(chooserOf(device, config), made, shader);

const chooserOf = (device: Device, { model, batchSize, convAlgorithm, mixed }: TrainingConfig): Chooser => ({
  device,
  layers: model.layers,
  input: [batchSize, ...model.input],
  number: mixed?.number ?? 'f32',
  algorithm: convAlgorithm,
});

/** Views of an image in tests, by the setting's choices. */
const VIEWS: Readonly<Record<TrainingConfig['testViews'], Views>> = { one: 1, mirrored: 2, shifted: 6 };

const averagesOf = ({ ema, lookahead }: TrainingConfig): TrainerOptions['averages'] =>
  lookahead === undefined ? (ema === undefined ? undefined : 'moving') : 'lookahead';

export function trainerOptions(config: TrainingConfig, choices: ConvChoices): TrainerOptions {
  const { model, dataset, batchSize, labelSmoothing, clipNorm, testViews, measures, mixed } = config;
  return {
    layers: model.layers,
    input: model.input,
    classes: model.classes,
    batchSize,
    optimizer: optimizers.get(config.optimizer),
    settings: config,
    normalisation: dataset,
    train: dataset.train,
    validation: dataset.validation,
    test: dataset.test,
    labelSmoothing,
    classWeights: classWeightsOf(config),
    clipNorm,
    views: VIEWS[testViews],
    measures,
    averages: averagesOf(config),
    mixed,
    choices,
  };
}
