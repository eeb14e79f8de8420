/**
 * The settings of a run as an address: `#/train?v=2&data=shapes&lr=0.01`. What is not named has its default.
 */
import {
  AUGMENTATIONS,
  NO_AUGMENTATION,
  showAugmentation,
  type Augmentation,
} from '../../base/augmentation.ts';
import { linkOf as nameOf, SETTING_KEYS, settingOf, type OptimizerName } from '../../run/settings/table.ts';
import { parseSetting } from '../../run/settings/text.ts';
import {
  appliesTo,
  DEFAULT_SETTINGS,
  defaultTexts,
  TEXT_KEYS,
  type Settings,
  type TextKey,
} from '../state/settings.ts';

export const VERSION = '2';

/** What the page has, to check names against. */
export interface Names {
  models: readonly { name: string; title: string }[];
  datasets: readonly { name: string; title: string }[];
}

export interface ReadLink {
  /** What it sets, with words for each. */
  settings: Partial<Settings>;
  lines: { title: string; value: string }[];
  /** The model's text, compressed, where it is a custom one. */
  model?: string;
  /** What is wrong, each naming its part; the rest is read. */
  mistakes: string[];
}

/**
 * The settings that differ from the defaults, as parameters of an address.
 * @param model a custom model's text, compressed; the setting's own name counts otherwise
 */
export function linkOf(settings: Settings, model?: string): Record<string, string> {
  const link: Record<string, string> = { v: VERSION };
  if (model !== undefined) link['net'] = model;
  else if (settings.model !== DEFAULT_SETTINGS.model) link['model'] = settings.model;
  if (settings.dataset !== DEFAULT_SETTINGS.dataset) link['data'] = settings.dataset;
  const defaults = {
    ...defaultTexts(settings.optimizer as OptimizerName),
    optimizer: DEFAULT_SETTINGS.optimizer,
  };
  for (const key of TEXT_KEYS) {
    // What cannot be read is left out: a link sets what is valid.
    const text = settings[key].trim();
    if (appliesTo(settings, key) && text !== defaults[key] && parseSetting(key, text, 'page').ok)
      link[nameOf(key)] = text;
  }
  const augmented = Object.entries(settings.augmentation);
  if (augmented.length > 0) {
    const values = augmented.map(([name, text]) => [name, Number(text)] as const);
    link[nameOf('augmentation')] = showAugmentation({ ...NO_AUGMENTATION, ...Object.fromEntries(values) });
  }
  return link;
}

/** Reads a link. Never throws: what is wrong is reported, and the rest is read. */
export function readLink(parameters: Readonly<Record<string, string>>, names: Names): ReadLink {
  const { v = 'unknown', net, ...others } = parameters;
  const rest = new Map(Object.entries(others));
  const optimizer = parseSetting('optimizer', rest.get(nameOf('optimizer')) ?? '', 'page');
  const chosen = optimizer.ok ? optimizer.value : 'adam';
  const settings: Settings = { ...DEFAULT_SETTINGS, ...defaultTexts(chosen) };
  const lines: ReadLink['lines'] = [];
  const mistakes: string[] = [];
  if (v !== VERSION) {
    mistakes.push(
      `This link uses version ${v.slice(0, 20)}; this page supports ${VERSION}. Unknown settings are ignored.`,
    );
  }
  const take = (key: string): string | undefined => {
    const value = rest.get(key);
    rest.delete(key);
    return value;
  };
  const named = (key: string, title: string, field: 'model' | 'dataset', list: Names[keyof Names]) => {
    const value = take(key);
    const found = list.find(({ name }) => name === value);
    if (found) {
      settings[field] = found.name;
      lines.push({ title, value: found.title });
    } else if (value !== undefined) {
      const known = list.map(({ name }) => name).join(', ');
      mistakes.push(`${key}: "${value.slice(0, 40)}" is not available. Choose one of ${known}.`);
    }
  };
  named('model', 'Model', 'model', names.models);
  named('data', 'Data set', 'dataset', names.datasets);
  for (const key of SETTING_KEYS) {
    const setting = settingOf(key);
    const text = take(nameOf(key));
    if (text === undefined) continue;
    const read = parseSetting(key, text, 'page');
    if (!read.ok) mistakes.push(`${nameOf(key)}: ${read.message}.`);
    else {
      if (setting.type === 'augmentation') settings.augmentation = textsOf(read.value as Augmentation);
      else settings[key as TextKey] = read.value === undefined ? '' : text;
      lines.push({
        title: setting.title,
        value: valueOf(setting.type === 'choice' ? setting.choices : {}, text),
      });
    }
  }
  for (const key of rest.keys()) mistakes.push(`${key.slice(0, 40)}: unknown setting.`);
  return { settings, lines, mistakes, model: net };
}

const valueOf = (titles: Readonly<Record<string, string>>, text: string): string => titles[text] ?? text;

const textsOf = (augmentation: Augmentation): Settings['augmentation'] =>
  Object.fromEntries(AUGMENTATIONS.map(({ name }) => [name, String(augmentation[name])]));
