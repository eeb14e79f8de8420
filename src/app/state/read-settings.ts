import {
  AUGMENTATIONS,
  NO_AUGMENTATION,
  type Augmentation,
  type AugmentationName,
} from '../../base/augmentation.ts';
import type { DatasetEntry, RunConfig } from '../../worker/api.ts';
import type { Settings } from './settings.ts';

export type SettingsErrors = Partial<Record<keyof Settings | AugmentationName, string>>;

type NumberField = Exclude<
  keyof Settings,
  'model' | 'dataset' | 'optimizer' | 'nesterov' | 'augmentation' | 'schedule' | 'precision'
>;

/** What settings are read against: the chosen data set, as far as it is known. */
export type ChosenData = Pick<DatasetEntry, 'counts' | 'augmentation' | 'shape'>;

/** A number out of a text field, or undefined: unlike `Number`, blank is not zero. */
const number = (text: string): number | undefined => {
  const value = text.trim() === '' ? NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
};

/**
 * Reads the settings. `errors` says in one sentence each what is wrong; `config` is there only without errors.
 *
 * @param data a batch cannot have more images than it, and how they are varied is its to say first
 */
export function readSettings(
  settings: Settings,
  data: ChosenData | undefined,
): { config: RunConfig | undefined; errors: SettingsErrors } {
  const errors: SettingsErrors = {};
  const read = (field: NumberField, rule: (value: number) => string | false) => {
    const value = number(settings[field]);
    const wrong = value === undefined ? 'Write a number.' : rule(value);
    if (wrong) errors[field] = wrong;
    return value ?? 0;
  };
  const largestBatch = Math.min(4096, data?.counts.train || Infinity);
  const sgd = settings.optimizer === 'sgd';

  const batchSize = read(
    'batchSize',
    (n) =>
      (!Number.isInteger(n) || n < 1 || n > largestBatch) &&
      `Choose a whole number from 1 to ${largestBatch}.`,
  );
  const lr = read('lr', (x) => (x <= 0 || x > 100) && 'Choose a number above 0, up to 100.');
  const momentum = sgd
    ? read('momentum', (x) => (x < 0 || x >= 1) && 'Choose a number from 0 to below 1.')
    : 0;
  const weightDecay = read('weightDecay', (x) => (x < 0 || x > 1) && 'Choose a number from 0 to 1.');
  const seed = read(
    'seed',
    (n) => (!Number.isInteger(n) || n < 0 || n > 0xffffffff) && 'Choose a whole number from 0 to 4294967295.',
  );
  const nesterov = sgd && settings.nesterov;
  if (nesterov && momentum === 0 && !errors.momentum) errors.momentum = 'Nesterov needs a momentum above 0.';

  const augmentation = readAugmentation(settings, data, errors);

  const optional = (field: NumberField, rule: (value: number) => string | false) =>
    settings[field].trim() === '' ? undefined : read(field, rule);
  const whole = (n: number) => (!Number.isInteger(n) || n < 1) && 'Choose a whole number from 1 on.';
  const share = (x: number) => (x < 0 || x >= 1) && 'Choose a number from 0 to below 1.';
  const epochs = optional('epochs', whole);
  const scheduled = settings.schedule !== 'constant';
  const warmup = optional('warmup', (n) => (!Number.isInteger(n) || n < 0) && 'Choose a whole number.');
  const hasSchedule = scheduled || (warmup !== undefined && warmup > 0);
  if (hasSchedule && epochs === undefined)
    errors.epochs ??= 'A learning rate that changes over the run needs to know how long that is.';
  if (warmup !== undefined && epochs !== undefined && warmup >= epochs)
    errors.warmup ??= 'Choose fewer than the epochs of the run.';
  const labelSmoothing = read('labelSmoothing', share);
  const clipNorm = optional('clipNorm', (x) => x <= 0 && 'Choose a number above 0.');
  const ema = optional('ema', share);

  const percent = optional(
    'stopAccuracy',
    (x) => (x <= 0 || x > 100) && 'Choose a number above 0, up to 100.',
  );
  const patience = optional('patience', whole);
  const stops = {
    ...(percent === undefined ? {} : { accuracy: percent / 100 }),
    ...(patience === undefined ? {} : { patience }),
  };

  if (Object.keys(errors).length > 0) return { config: undefined, errors };
  return {
    errors,
    config: {
      model: settings.model,
      dataset: settings.dataset,
      batchSize,
      optimizer: { name: settings.optimizer, lr, momentum, nesterov, weightDecay },
      augmentation,
      seed,
      ...(Object.keys(stops).length > 0 ? { stops } : {}),
      ...(epochs === undefined ? {} : { epochs }),
      ...(hasSchedule
        ? { schedule: { name: settings.schedule, ...(warmup ? { warmupEpochs: warmup } : {}) } }
        : {}),
      ...(labelSmoothing === 0 ? {} : { labelSmoothing }),
      ...(clipNorm === undefined ? {} : { clipNorm }),
      ...(ema === undefined ? {} : { ema }),
      ...(settings.precision === 'mixed' ? { precision: settings.precision } : {}),
    },
  };
}

/** A way of varying images as it is set: what was typed, else what the data set says. */
export const settingOf = (
  name: AugmentationName,
  settings: Settings,
  data: Pick<ChosenData, 'augmentation'> | undefined,
): string => settings.augmentation[name] ?? String(data?.augmentation[name] ?? 0);

function readAugmentation(
  settings: Settings,
  data: ChosenData | undefined,
  errors: SettingsErrors,
): Augmentation {
  const read = { ...NO_AUGMENTATION };
  const side = data ? Math.min(...data.shape.slice(-2)) : Infinity;
  for (const { name, kind, most } of AUGMENTATIONS) {
    const value = number(settingOf(name, settings, data)) ?? NaN;
    const largest = kind === 'pixels' ? Math.min(most, side - 1) : most;
    const whole = kind === 'number' || Number.isInteger(value);
    if (value >= 0 && value <= largest && whole) read[name] = value;
    else errors[name] = `Choose a ${kind === 'number' ? '' : 'whole '}number from 0 to ${largest}.`;
  }
  return read;
}
