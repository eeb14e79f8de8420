/** Settings of runs in words, and where two runs differ. */
import { NO_AUGMENTATION, showAugmentation } from '../../../base/augmentation.ts';
import type { RunConfig } from '../../../worker/api.ts';

export interface SettingLine {
  /** For people: "Learning rate". */
  title: string;
  /** In a line of differences: "lr". */
  short: string;
  value: string;
}

/** 0.0003 as "3e-4", 0.05 as "0.05". */
const number = (value: number): string =>
  value !== 0 && Math.abs(value) < 0.01 ? value.toExponential().replace('e+', 'e') : String(value);

/** Everything that a run was started with, in the order of the settings. */
export function settingLines(config: RunConfig): SettingLine[] {
  const { model, dataset, batchSize, optimizer, augmentation, seed, stops, pins = [] } = config;
  const line = (title: string, short: string, value: string) => ({ title, short, value });
  return [
    line('Model', 'model', typeof model === 'string' ? model : model.title),
    line('Layers', 'layers', typeof model === 'string' ? 'as registered' : fingerprint(model.layers)),
    line('Data set', 'data', dataset),
    line('Batch size', 'batch', String(batchSize)),
    line('Optimiser', 'optimiser', optimizer.name),
    line('Learning rate', 'lr', number(optimizer.lr)),
    line('Momentum', 'momentum', number(optimizer.momentum)),
    line('Nesterov', 'nesterov', optimizer.nesterov ? 'yes' : 'no'),
    line('Weight decay', 'decay', number(optimizer.weightDecay)),
    line('Epochs', 'epochs', config.epochs === undefined ? 'no end' : String(config.epochs)),
    line('Schedule', 'schedule', config.schedule?.name ?? 'constant'),
    line('Warm-up epochs', 'warm-up', String(config.schedule?.warmupEpochs ?? 0)),
    line('Label smoothing', 'smoothing', number(config.labelSmoothing ?? 0)),
    line('Gradients scaled down to', 'clip', config.clipNorm === undefined ? 'no' : number(config.clipNorm)),
    line('Averages forget by', 'ema', config.ema === undefined ? 'none' : number(config.ema)),
    line('Precision', 'precision', config.precision ?? 'float32'),
    line('Images varied by', 'varied', showAugmentation(augmentation ?? NO_AUGMENTATION)),
    line('Seed', 'seed', String(seed)),
    line(
      'Rests at a test accuracy of',
      'rest at',
      stops?.accuracy === undefined ? 'none' : `${Number((100 * stops.accuracy).toPrecision(6))} %`,
    ),
    line('Rests when no better for', 'patience', stops?.patience ? `${stops.patience} epochs` : 'none'),
    line('Algorithms set by hand', 'pins', pins.length === 0 ? 'none' : `${pins.length} layers`),
  ];
}

/** Tells built models apart that have the same title. */
function fingerprint(layers: unknown): string {
  let hash = 5381;
  for (const character of JSON.stringify(layers)) {
    hash = (Math.imul(hash, 33) ^ (character.codePointAt(0) ?? 0)) >>> 0;
  }
  return `built, no. ${hash.toString(16)}`;
}

/** "lr 1e-3 → 3e-4, batch 64 → 128"; empty where nothing differs. */
export function difference(before: RunConfig, after: RunConfig): string {
  const old = settingLines(before);
  return settingLines(after)
    .flatMap(({ short, value }, i) => (value === old[i].value ? [] : [`${short} ${old[i].value} → ${value}`]))
    .join(', ');
}

/** A line for each thing that is said of runs, a value for each run. @param all also those in which the runs agree */
export function sideBySide(
  runs: readonly (readonly Pick<SettingLine, 'title' | 'value'>[])[],
  all: boolean,
): { title: string; values: string[]; differs: boolean }[] {
  return (runs[0] ?? [])
    .map(({ title }, i) => {
      const values = runs.map((lines) => lines[i].value);
      return { title, values, differs: new Set(values).size > 1 };
    })
    .filter(({ differs }) => all || differs);
}
