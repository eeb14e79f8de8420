import type { RunConfig } from '../../worker/api.ts';
import type { Settings } from './settings.ts';

export type SettingsErrors = Partial<Record<keyof Settings, string>>;

/** A number out of a text field, or undefined: unlike `Number`, blank is not zero. */
const number = (text: string): number | undefined => {
  const value = text.trim() === '' ? NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
};

/**
 * Reads the settings. `errors` says in one sentence each what is wrong; `config` is there only without errors.
 *
 * @param images how many training images the data set has; a batch cannot be larger
 */
export function readSettings(
  settings: Settings,
  images: number,
): { config: RunConfig | undefined; errors: SettingsErrors } {
  const errors: SettingsErrors = {};
  const read = (
    field: 'batchSize' | 'lr' | 'momentum' | 'weightDecay' | 'seed',
    rule: (value: number) => string | false,
  ) => {
    const value = number(settings[field]);
    const wrong = value === undefined ? 'Write a number.' : rule(value);
    if (wrong) errors[field] = wrong;
    return value ?? 0;
  };
  const largestBatch = Math.min(4096, images);
  const sgd = settings.optimizer === 'sgd';

  const batchSize = read(
    'batchSize',
    (n) =>
      (!Number.isInteger(n) || n < 1 || n > largestBatch) &&
      `Choose a whole number from 1 to ${largestBatch}.`,
  );
  const lr = read('lr', (x) => (x <= 0 || x > 10) && 'Choose a number above 0, up to 10.');
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

  if (Object.keys(errors).length > 0) return { config: undefined, errors };
  return {
    errors,
    config: {
      model: settings.model,
      dataset: settings.dataset,
      batchSize,
      optimizer: { name: settings.optimizer, lr, momentum, nesterov, weightDecay },
      seed,
    },
  };
}
