/** Rules between settings: defaults, which settings apply, and conflicts. */
import { SETTING_KEYS, settingOf, type RunSettings, type SettingKey } from './table.ts';
import { textOf } from './text.ts';

/** A setting's default, which may depend on the optimiser. */
export function defaultOf<K extends SettingKey>(key: K, optimizer: RunSettings['optimizer']): RunSettings[K] {
  const setting = settingOf(key);
  const own = 'byOptimizer' in setting ? setting.byOptimizer?.[optimizer] : undefined;
  return (own ?? setting.default) as RunSettings[K];
}

/** A run that trains all layers from trained weights would forget them at the usual rate: it gets this share of it. */
const FINE_TUNING = 0.1;

/** The default learning rate of a run that starts from trained weights. @param frozen whether its first layers are frozen */
export const fineTuningRate = (optimizer: RunSettings['optimizer'], frozen: boolean): number =>
  Number((defaultOf('lr', optimizer) * (frozen ? 1 : FINE_TUNING)).toPrecision(12));

/** All settings: those that are given, and the defaults of the others. */
export function completed(given: Partial<RunSettings>): RunSettings {
  const optimizer = given.optimizer ?? defaultOf('optimizer', 'adam');
  const { initialWeights, freeze = [] } = given;
  const lr = initialWeights === undefined ? undefined : fineTuningRate(optimizer, freeze.length > 0);
  const preferred: Partial<RunSettings> = lr === undefined ? given : { ...given, lr: given.lr ?? lr };
  const values = SETTING_KEYS.map((key) => [key, preferred[key] ?? defaultOf(key, optimizer)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as unknown as RunSettings;
}

/** Whether a setting has an effect, given the others. */
export function applies(key: SettingKey, settings: Partial<RunSettings>): boolean {
  const { for: only, needs } = settingOf(key);
  const { optimizer = 'adam', schedule = 'constant' } = settings;
  return (
    (only?.optimizer?.includes(optimizer) ?? true) &&
    (only?.schedule?.includes(schedule) ?? true) &&
    (needs === undefined || Boolean(settings[needs as SettingKey]))
  );
}

/** The settings with the defaults of those that do not apply. */
export const applied = (settings: RunSettings): RunSettings =>
  completed(
    Object.fromEntries(Object.entries(settings).filter(([key]) => applies(key as SettingKey, settings))),
  );

/** Whether both runs have the same value of a setting. */
export const agree = (key: SettingKey, a: RunSettings, b: RunSettings): boolean =>
  textOf(key, a[key], 'option') === textOf(key, b[key], 'option');

/** Whether the learning rate or lookahead follows a schedule, to which the length of the run belongs. */
export const isScheduled = ({
  schedule,
  warmupEpochs,
  lookahead,
}: Pick<RunSettings, 'schedule' | 'warmupEpochs' | 'lookahead'>): boolean =>
  schedule !== 'constant' || warmupEpochs > 0 || lookahead !== undefined;

/** Of so many training images, how many a run holds back for validation: some, but not all, if any. */
export const heldBack = (count: number, { validation }: Pick<RunSettings, 'validation'>): number =>
  validation > 0 ? Math.min(Math.max(1, Math.round(validation * count)), count - 1) : 0;

/** How many of them it trains on. */
export const trainedOn = (count: number, settings: Pick<RunSettings, 'validation' | 'trainImages'>): number =>
  Math.min(settings.trainImages ?? Infinity, count - heldBack(count, settings));

/** The value that a setting must have because of the others; `expected` completes "Enter …". */
export interface Conflict {
  key: SettingKey;
  expected: string;
}

/**
 * Conflicts between settings.
 * @param stepsPerEpoch if the data set is known
 */
export function conflicts(settings: RunSettings, stepsPerEpoch?: number): Conflict[] {
  const { epochs, steps, warmupEpochs, lr, minLr, momentum, nesterov, optimizer, ema, lookahead } = settings;
  const found: Conflict[] = [];
  if (optimizer === 'sgd' && nesterov && momentum === 0)
    found.push({ key: 'momentum', expected: 'a number greater than 0 for Nesterov momentum' });
  if (applies('minLr', settings) && minLr > lr)
    found.push({ key: 'minLr', expected: `at most the learning rate, ${lr}` });
  const length = epochs ?? (steps && stepsPerEpoch ? steps / stepsPerEpoch : undefined);
  if (isScheduled(settings) && epochs === undefined && steps === undefined) {
    const what = lookahead === undefined ? 'a learning rate schedule' : 'lookahead';
    found.push({ key: 'epochs', expected: `a number of epochs, which ${what} requires` });
  }
  if (lookahead !== undefined && ema !== undefined)
    found.push({ key: 'lookahead', expected: 'none beside weight averaging, of which it is another kind' });
  const all = steps ?? (epochs && stepsPerEpoch ? Math.ceil(epochs * stepsPerEpoch) : Infinity);
  if (lookahead !== undefined && lookahead > all)
    found.push({ key: 'lookahead', expected: `at most the run's ${all} steps` });
  // Only whole steps count.
  const warmup = stepsPerEpoch ? Math.round(warmupEpochs * stepsPerEpoch) / stepsPerEpoch : warmupEpochs;
  if (length !== undefined && warmupEpochs > 0 && warmup >= length)
    found.push({ key: 'warmupEpochs', expected: `less than the run's ${Number(length.toFixed(3))} epochs` });
  return found;
}
