/**
 * A run's beginning as an address: `#/train?v=1&data=shapes&lr=0.01`. What is not named is as the page has it by itself.
 */
import {
  AUGMENTATIONS,
  NO_AUGMENTATION,
  parseAugmentation,
  showAugmentation,
} from '../../base/augmentation.ts';
import { Failure } from '../../base/result.ts';
import { PRECISIONS } from '../state/precision.ts';
import { DEFAULT_SETTINGS, type Settings } from '../state/settings.ts';

export const VERSION = '1';

type TextField = Exclude<
  keyof Settings,
  'model' | 'dataset' | 'optimizer' | 'nesterov' | 'augmentation' | 'schedule' | 'precision'
>;

interface Part {
  /** In the address. */
  key: string;
  /** For people. */
  title: string;
  field: TextField;
  /** What it expects, for people. */
  rule: string;
  fits(value: number): boolean;
}

const whole = (least: number, most: number) => ({
  rule: `a whole number from ${least} to ${most}`,
  fits: (value: number) => Number.isInteger(value) && value >= least && value <= most,
});

const share = { rule: 'a number from 0 to below 1', fits: (x: number) => x >= 0 && x < 1 };

/** Rougher than the settings panel's rules, which hold as well: what no setting can be is told apart here. */
const PARTS: readonly Part[] = [
  { key: 'batch', title: 'Batch size', field: 'batchSize', ...whole(1, 4096) },
  {
    key: 'lr',
    title: 'Learning rate',
    field: 'lr',
    rule: 'a number above 0, up to 100',
    fits: (x) => x > 0 && x <= 100,
  },
  {
    key: 'momentum',
    title: 'Momentum',
    field: 'momentum',
    rule: 'a number from 0 to below 1',
    fits: (x) => x >= 0 && x < 1,
  },
  {
    key: 'decay',
    title: 'Weight decay',
    field: 'weightDecay',
    rule: 'a number from 0 to 1',
    fits: (x) => x >= 0 && x <= 1,
  },
  { key: 'seed', title: 'Seed', field: 'seed', ...whole(0, 0xffffffff) },
  { key: 'epochs', title: 'Epochs', field: 'epochs', ...whole(1, 1e6) },
  { key: 'warmup', title: 'Warm-up epochs', field: 'warmup', ...whole(0, 1e6) },
  { key: 'smoothing', title: 'Label smoothing', field: 'labelSmoothing', ...share },
  {
    key: 'clip',
    title: 'Largest norm of the gradients',
    field: 'clipNorm',
    rule: 'a number above 0',
    fits: (x) => x > 0,
  },
  { key: 'ema', title: 'Averages of the weights', field: 'ema', ...share },
  {
    key: 'until',
    title: 'Rest at a test accuracy of',
    field: 'stopAccuracy',
    rule: 'a percentage above 0',
    fits: (x) => x > 0 && x <= 100,
  },
  { key: 'patience', title: 'Rest when no better for', field: 'patience', ...whole(1, 1e6) },
];

/** What the page has, to check names against. */
export interface Names {
  models: readonly { name: string; title: string }[];
  datasets: readonly { name: string; title: string }[];
  optimizers: readonly { name: string; title: string }[];
  schedules: readonly { name: string; title: string }[];
}

export interface ReadLink {
  /** What it sets, with words for each. */
  settings: Partial<Settings>;
  lines: { title: string; value: string }[];
  /** The model's text, compressed, where it is a built one. */
  model?: string;
  /** What was wrong, each naming its part; the rest counts. */
  mistakes: string[];
}

/**
 * What of the settings is not as the page has it by itself, as parameters of an address.
 * @param augmentation how images are varied, where it is not as the data set says
 * @param model a built model's text, compressed; the setting's own name counts otherwise
 */
export function linkOf(settings: Settings, model?: string): Record<string, string> {
  const link: Record<string, string> = { v: VERSION };
  if (model !== undefined) link['net'] = model;
  else if (settings.model !== DEFAULT_SETTINGS.model) link['model'] = settings.model;
  if (settings.dataset !== DEFAULT_SETTINGS.dataset) link['data'] = settings.dataset;
  if (settings.optimizer !== DEFAULT_SETTINGS.optimizer) link['optimiser'] = settings.optimizer;
  if (settings.schedule !== DEFAULT_SETTINGS.schedule) link['schedule'] = settings.schedule;
  if (settings.precision !== DEFAULT_SETTINGS.precision) link['precision'] = settings.precision;
  if (settings.nesterov) link['nesterov'] = 'yes';
  for (const { key, field } of PARTS) {
    if (settings[field] !== DEFAULT_SETTINGS[field]) link[key] = settings[field];
  }
  const varied = Object.entries(settings.augmentation);
  if (varied.length > 0) {
    const values = {
      ...NO_AUGMENTATION,
      ...Object.fromEntries(varied.map(([name, text]) => [name, Number(text)])),
    };
    link['varied'] = showAugmentation(values);
  }
  return link;
}

/** True if the parameters are a link's at all. */
export const isLink = (parameters: Readonly<Record<string, string>>): boolean => 'v' in parameters;

/** Reads a link. Never throws: what is wrong is told, and the rest counts. */
export function readLink(parameters: Readonly<Record<string, string>>, names: Names): ReadLink {
  const read: ReadLink = { settings: { ...DEFAULT_SETTINGS }, lines: [], mistakes: [] };
  const { settings, lines, mistakes } = read;
  const { v, net, ...others } = parameters;
  const rest: Record<string, string> = others;
  if (v !== VERSION) {
    mistakes.push(
      `The link is of version ${v.slice(0, 20)}, and this page knows ${VERSION}: what it knows of it counts.`,
    );
  }
  if (net !== undefined) read.model = net;
  const named = (key: string, title: string, list: Names[keyof Names], set: (name: string) => void) => {
    const value = rest[key];
    delete rest[key];
    if (value === undefined) return;
    const found = list.find(({ name }) => name === value);
    if (found) {
      set(found.name);
      lines.push({ title, value: found.title });
    } else {
      const known = list.map(({ name }) => name).join(', ');
      mistakes.push(`${key}: "${value.slice(0, 40)}" is not here. There are ${known}.`);
    }
  };
  named('model', 'Model', names.models, (name) => (settings.model = name));
  named('data', 'Data set', names.datasets, (name) => (settings.dataset = name));
  named(
    'optimiser',
    'Optimiser',
    names.optimizers,
    (name) => (settings.optimizer = name as Settings['optimizer']),
  );
  named('schedule', 'Schedule', names.schedules, (name) => (settings.schedule = name));
  named('precision', 'Precision', PRECISIONS, (name) => (settings.precision = name as Settings['precision']));
  for (const { key, title, field, rule, fits } of PARTS) {
    const value = rest[key];
    delete rest[key];
    if (value === undefined) continue;
    if (value.trim() !== '' && value.length < 40 && fits(Number(value))) {
      settings[field] = value;
      lines.push({ title, value });
    } else mistakes.push(`${key}: expected ${rule}, found "${value.slice(0, 40)}".`);
  }
  const { nesterov, varied, ...unknown } = rest;
  if (nesterov === 'yes') {
    settings.nesterov = true;
    lines.push({ title: 'Nesterov', value: 'yes' });
  } else if (nesterov !== undefined)
    mistakes.push(`nesterov: expected "yes", found "${nesterov.slice(0, 40)}".`);
  if (varied !== undefined) readVaried(varied, read);
  for (const key of Object.keys(unknown)) mistakes.push(`${key.slice(0, 40)}: no setting is called so.`);
  return read;
}

function readVaried(varied: string, { settings, lines, mistakes }: ReadLink): void {
  try {
    const values = varied === 'none' ? NO_AUGMENTATION : parseAugmentation(varied);
    settings.augmentation = Object.fromEntries(AUGMENTATIONS.map(({ name }) => [name, String(values[name])]));
    lines.push({ title: 'Images varied by', value: varied });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    mistakes.push(`varied: ${error.message}.`);
  }
}
