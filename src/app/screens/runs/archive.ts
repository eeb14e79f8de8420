/** A run as the files of one archive, and back: what comes in is checked part by part. */
import { NO_AUGMENTATION, AUGMENTATIONS, type Augmentation } from '../../../base/augmentation.ts';
import { Failure } from '../../../base/result.ts';
import { readMetrics, writeMetrics } from '../../../run/metrics/csv.ts';
import type { ArchiveFile, ModelFile, OptimizerName, RunConfig } from '../../../worker/api.ts';
import type { Choices, RunRecord } from '../../journal/record.ts';

const FORMAT = 'wgrad run';
const VERSION = 1;

const text = (path: string, content: string): ArchiveFile => ({
  path,
  bytes: new TextEncoder().encode(content),
});

/**
 * @param model model.json
 * @param weights weights.safetensors, where they are kept
 */
export function filesOf(record: RunRecord, model: string, weights?: Uint8Array<ArrayBuffer>): ArchiveFile[] {
  const { record: _line, start: _start, ...config } = record.config;
  const about = {
    format: FORMAT,
    version: VERSION,
    name: record.name,
    note: record.note,
    began: new Date(record.began).toISOString(),
    model: record.model,
    dataset: record.dataset,
    classes: record.classes,
    step: record.step,
    epoch: record.epoch,
    ...(record.parent?.step === undefined ? {} : { parent: record.parent }),
    // A built model is in model.json.
    config: { ...config, model: typeof config.model === 'string' ? config.model : null },
    ...(record.confusion ? { confusion: [...record.confusion] } : {}),
    ...(record.weights ? { weightsStep: record.weights.step } : {}),
  };
  const { adapter, software, trainedMs, imagesPerSecond, choices } = record;
  return [
    text('config.json', JSON.stringify(about, null, 2)),
    text('metrics.csv', writeMetrics(record)),
    text('model.json', model),
    text('timings.json', JSON.stringify({ adapter, software, trainedMs, imagesPerSecond, choices }, null, 2)),
    ...(weights ? [{ path: 'weights.safetensors', bytes: weights }] : []),
  ];
}

export interface ReadRun {
  /** What was read, less its place among the runs here. */
  record: Omit<RunRecord, 'id' | 'number' | 'weights'>;
  weights?: { step: number; bytes: Uint8Array<ArrayBuffer> };
}

/**
 * @param readModel checks model.json; asked only where the model is a built one
 * @throws Failure `bad-file` that says which part is wrong
 */
export async function readRun(
  files: readonly ArchiveFile[],
  readModel: (text: string) => Promise<ModelFile>,
): Promise<ReadRun> {
  const find = (path: string) => files.find((file) => file.path === path);
  const textOf = (path: string) => {
    const file = find(path);
    if (!file) throw bad('the archive', `a file ${path}`, `${files.length} others`);
    return new TextDecoder().decode(file.bytes);
  };
  const about = fieldsOf('config.json', textOf('config.json'));
  if (about.text('format') !== FORMAT) throw bad('config.json', `the format "${FORMAT}"`, 'another');
  const version = about.number('version');
  if (version !== VERSION) {
    throw new Failure(
      'unsupported',
      `config.json: expected version ${VERSION} of the format, found ${version}`,
      'Open it with the version of wgrad that wrote it, or a newer one.',
    );
  }
  const given = about.fields('config');
  const built = given.value('model') === null;
  const model = built ? await readModel(textOf('model.json')) : given.text('model');
  const timings = fieldsOf('timings.json', textOf('timings.json'));
  const began = Date.parse(about.text('began'));
  const classes = about.list('classes', (one) => typeof one === 'string') as string[];
  const confusion = about.has('confusion')
    ? Uint32Array.from(about.list('confusion', isCount) as number[])
    : undefined;
  if (confusion && confusion.length !== classes.length ** 2) {
    throw bad('config.json', `a confusion of ${classes.length ** 2} counts`, String(confusion.length));
  }
  const weights = find('weights.safetensors');
  return {
    record: {
      name: about.text('name').slice(0, 80),
      note: about.text('note').slice(0, 10_000),
      starred: false,
      began: Number.isFinite(began) ? began : Date.now(),
      kept: Date.now(),
      config: configOf(given, model),
      model: about.text('model'),
      dataset: about.text('dataset'),
      classes,
      step: about.number('step'),
      epoch: about.number('epoch'),
      state: 'stopped',
      adapter: timings.text('adapter'),
      software: timings.value('software') === true,
      trainedMs: timings.number('trainedMs'),
      ...(timings.has('imagesPerSecond') ? { imagesPerSecond: timings.number('imagesPerSecond') } : {}),
      choices: timings.has('choices') ? choicesOf(timings.fields('choices').all) : {},
      ...readMetrics(textOf('metrics.csv')),
      ...(confusion ? { confusion } : {}),
      ...(about.has('parent') ? { parent: parentOf(about.fields('parent')) } : {}),
    },
    ...(weights
      ? {
          weights: {
            step: about.has('weightsStep') ? about.number('weightsStep') : about.number('step'),
            bytes: weights.bytes,
          },
        }
      : {}),
  };
}

const parentOf = (given: Fields): NonNullable<RunRecord['parent']> => ({
  id: given.text('id').slice(0, 80),
  name: given.text('name').slice(0, 80),
  step: given.number('step'),
});

const OPTIMIZERS: readonly OptimizerName[] = ['sgd', 'adam', 'adamw', 'rmsprop'];

function configOf(given: Fields, model: RunConfig['model']): RunConfig {
  const chosen = given.fields('optimizer');
  const name = OPTIMIZERS.find((one) => one === chosen.text('name'));
  if (!name) throw bad('config.json', `one of ${OPTIMIZERS.join(', ')} as optimiser`, chosen.text('name'));
  const stops = given.has('stops') ? given.fields('stops') : undefined;
  return {
    model,
    dataset: given.text('dataset'),
    batchSize: given.number('batchSize'),
    optimizer: {
      name,
      lr: chosen.number('lr'),
      momentum: chosen.number('momentum'),
      nesterov: chosen.value('nesterov') === true,
      weightDecay: chosen.number('weightDecay'),
    },
    ...(given.has('augmentation') ? { augmentation: variedBy(given.fields('augmentation')) } : {}),
    seed: given.number('seed'),
    ...(given.has('epochs') ? { epochs: given.number('epochs') } : {}),
    ...(given.has('schedule') ? { schedule: scheduleOf(given.fields('schedule')) } : {}),
    ...(given.has('labelSmoothing') ? { labelSmoothing: given.number('labelSmoothing') } : {}),
    ...(given.has('clipNorm') ? { clipNorm: given.number('clipNorm') } : {}),
    ...(given.has('ema') ? { ema: given.number('ema') } : {}),
    ...(given.value('precision') === 'mixed' ? { precision: 'mixed' } : {}),
    ...(stops
      ? {
          stops: {
            ...(stops.has('accuracy') ? { accuracy: stops.number('accuracy') } : {}),
            ...(stops.has('patience') ? { patience: stops.number('patience') } : {}),
          },
        }
      : {}),
  };
}

const scheduleOf = (given: Fields): NonNullable<RunConfig['schedule']> => ({
  name: given.text('name'),
  ...(given.has('warmupEpochs') ? { warmupEpochs: given.number('warmupEpochs') } : {}),
});

function variedBy(given: Fields): Augmentation {
  const read = { ...NO_AUGMENTATION };
  for (const { name } of AUGMENTATIONS) if (given.has(name)) read[name] = given.number(name);
  return read;
}

/** Shown only: each convolution's algorithm by direction, in words. What has another form is left out. */
function choicesOf(given: Readonly<Record<string, unknown>>): Choices {
  const isUse = (use: unknown) =>
    typeof use === 'object' && use !== null && typeof (use as { algorithm?: unknown }).algorithm === 'string';
  const entries = Object.entries(given).filter(
    ([, uses]) => typeof uses === 'object' && uses !== null && Object.values(uses).every(isUse),
  );
  return Object.fromEntries(entries) as Choices;
}

const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;

const bad = (where: string, expected: string, found: string): Failure =>
  new Failure(
    'bad-file',
    `${where}: expected ${expected}, found ${found}`,
    'Choose an archive that wgrad made.',
  );

/** The fields of a JSON object, each checked when it is taken. */
interface Fields {
  all: Readonly<Record<string, unknown>>;
  has(name: string): boolean;
  value(name: string): unknown;
  text(name: string): string;
  number(name: string): number;
  list(name: string, of: (one: unknown) => boolean): unknown[];
  fields(name: string): Fields;
}

function fieldsOf(where: string, source: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (error) {
    throw bad(where, 'JSON', error instanceof Error ? error.message : String(error));
  }
  return within(where, value);
}

function within(where: string, value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw bad(where, 'an object', typeof value);
  const all = value as Readonly<Record<string, unknown>>;
  const take = <T>(name: string, what: string, fits: (one: unknown) => boolean): T => {
    const one = Object.hasOwn(all, name) ? all[name] : undefined;
    if (!fits(one)) throw bad(where, `${name} to be ${what}`, String(JSON.stringify(one)).slice(0, 60));
    return one as T;
  };
  return {
    all,
    has: (name) => Object.hasOwn(all, name),
    value: (name) => (Object.hasOwn(all, name) ? all[name] : undefined),
    text: (name) => take(name, 'a text', (one) => typeof one === 'string'),
    number: (name) =>
      take(name, 'a number', (one) => typeof one === 'number' && one >= 0 && Number.isFinite(one)),
    list: (name, of) =>
      take(name, 'a list', (one) => Array.isArray(one) && one.length <= 1e6 && one.every(of)),
    fields: (name) =>
      within(
        `${where}, ${name}`,
        take(name, 'an object', (one) => typeof one === 'object'),
      ),
  };
}
