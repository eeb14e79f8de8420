/** Settings of runs in words, and where two runs differ. */
import { settingsAt } from '../../../run/settings/adjustments.ts';
import { applies, defaultOf } from '../../../run/settings/rules.ts';
import {
  SETTING_KEYS,
  settingOf,
  shortOf,
  type RunSettings,
  type SettingKey,
} from '../../../run/settings/table.ts';
import { textOf } from '../../../run/settings/text.ts';
import type { RunConfig, StoredRun } from '../../../worker/api.ts';
import { runs as texts } from '../../messages/en/runs.tsx';

export interface SettingLine {
  /** For people: "Learning rate". */
  title: string;
  /** In a line of differences: "lr". */
  short: string;
  value: string;
}

/** 0.0003 as "3e-4", 0.05 as "0.05". */
const compact = (value: number): string =>
  value !== 0 && Math.abs(value) < 0.01 ? value.toExponential().replace('e+', 'e') : String(value);

/** A value for people to read: "3e-4", "98 %", "unlimited". */
function shown<K extends SettingKey>(key: K, value: RunSettings[K]): string {
  const setting = settingOf(key);
  if (value === undefined) return 'empty' in setting ? setting.empty : '';
  const text = textOf(key, value, 'page');
  if ('percent' in setting) return `${text} %`;
  if (setting.type === 'choice') return (setting.choices as Record<string, string>)[text] ?? text;
  return setting.type === 'number' ? compact(value as number) : text || texts.differences.none;
}

/** What a run was started with, and what of it changed. */
type Trained = Pick<StoredRun, 'config' | 'changes'>;

/** A setting's value, and those that it had later: "1e-3, 0.01 after step 300". */
function course<K extends SettingKey>(key: K, { config, changes = [] }: Trained): string {
  const words = [shown(key, config[key])];
  let now: RunConfig = config;
  for (const change of changes) {
    const before = shown(key, now[key]);
    now = settingsAt(now, [change]);
    if (shown(key, now[key]) !== before)
      words.push(texts.differences.after(shown(key, now[key]), change.step));
  }
  return words.join(', ');
}

/** Everything that a run was started with, and its changes, in the order of the settings. */
export function settingLines(run: Trained): SettingLine[] {
  const { config } = run;
  const { model, dataset, pins = [] } = config;
  const line = (title: string, short: string, value: string) => ({ title, short, value });
  return [
    line(texts.differences.model, 'model', typeof model === 'string' ? model : model.title),
    line(
      texts.differences.layers,
      'layers',
      typeof model === 'string' ? texts.differences.builtIn : fingerprint(model.layers),
    ),
    line(texts.differences.dataset, 'data', dataset),
    ...SETTING_KEYS.map((key) => {
      return line(settingOf(key).title, shortOf(key), applies(key, config) ? course(key, run) : '–');
    }),
    line(
      texts.differences.pinned,
      'pins',
      pins.length === 0 ? texts.differences.none : texts.differences.pins(pins.length),
    ),
  ];
}

/** Tells built models apart that have the same title. */
function fingerprint(layers: unknown): string {
  let hash = 5381;
  for (const character of JSON.stringify(layers)) {
    hash = (Math.imul(hash, 33) ^ (character.codePointAt(0) ?? 0)) >>> 0;
  }
  return texts.differences.custom(hash.toString(16));
}

/** "lr 1e-3 → 3e-4, batch 64 → 128"; empty where nothing differs. What only follows from another optimiser is left out. */
export function difference(before: Trained, after: Trained): string {
  const old = settingLines(before);
  const isConsequence = (short: string) =>
    before.config.optimizer !== after.config.optimizer &&
    SETTING_KEYS.some(
      (key) => shortOf(key) === short && follows(key, before.config) && follows(key, after.config),
    );
  return settingLines(after)
    .flatMap(({ short, value }, i) =>
      value === old[i].value || isConsequence(short) ? [] : [`${short} ${old[i].value} → ${value}`],
    )
    .join(', ');
}

/** Whether a setting other than the learning rate is as the run's optimiser has it without being asked, or not at all. */
const follows = (key: SettingKey, config: RunConfig): boolean =>
  settingOf(key).group === 'optimizer' &&
  !['optimizer', 'lr'].includes(key) &&
  (!applies(key, config) ||
    textOf(key, config[key], 'option') === textOf(key, defaultOf(key, config.optimizer), 'option'));

/** A line for each property, with a value for each run. @param all also those in which the runs agree */
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
