/** The options of a trainer. */
import { chooseAll, type ConvChoices } from '../engine/ops/conv/choice/layers.ts';
import { requireMixed } from '../engine/mixed.ts';
import { optimizers } from '../engine/optimizers/registry.ts';
import type { TrainerOptions } from '../engine/trainer.ts';
import type { Device } from '../gpu/device.ts';
import type { TrainingConfig } from './config.ts';

/** @throws Failure if a pin names something unknown or unsupported, or the device has no mixed precision */
export function chooseConvolutions(
  device: Device,
  { model, batchSize, pins, workspace, known, mixed }: TrainingConfig,
): ConvChoices {
  if (mixed) requireMixed(device, mixed);
  return chooseAll(device, model.layers, [batchSize, ...model.input], {
    pins,
    workspace,
    known: known?.(device),
    number: mixed?.number,
  });
}

/** Those that were made, unless they were made for the other engine, whose algorithms and launches differ. */
export const choicesFor = (
  device: Device,
  config: TrainingConfig,
  made: ConvChoices | undefined = config.choices,
): ConvChoices =>
  made && (made.cpu ?? false) === device.adapter.cpu ? made : chooseConvolutions(device, config);

export function trainerOptions(config: TrainingConfig, choices: ConvChoices): TrainerOptions {
  const { model, dataset, batchSize, labelSmoothing, clipNorm, measures, ema, mixed } = config;
  return {
    layers: model.layers,
    input: model.input,
    classes: model.classes,
    batchSize,
    optimizer: optimizers.get(config.optimizer),
    settings: config,
    normalisation: dataset,
    train: dataset.train,
    ...(dataset.test ? { test: dataset.test } : {}),
    ...(labelSmoothing === undefined ? {} : { labelSmoothing }),
    ...(clipNorm === undefined ? {} : { clipNorm }),
    ...(measures === undefined ? {} : { measures }),
    averages: ema !== undefined,
    ...(mixed ? { mixed } : {}),
    choices,
  };
}
