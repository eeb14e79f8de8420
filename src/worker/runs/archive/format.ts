/** A run as the files of one archive, and back: what comes in is checked part by part. */
import * as v from 'valibot';
import { checked } from '../../../base/checked.ts';
import { parsePlainJson } from '../../../base/plain-json.ts';
import { Failure } from '../../../base/result.ts';
import type { PackedFile } from '../../../data/formats/zip-write.ts';
import { readMetrics, writeMetrics } from '../../../run/metrics/csv.ts';
import type { Points } from '../../../run/metrics/points.ts';
import { storedAdjustment, storedSettings } from '../../../run/settings/stored.ts';
import { LIVE_KEYS } from '../../../run/settings/table.ts';
import type { Choices, ModelFile, StoredRun } from '../../api.ts';

const ADVICE = 'Choose an archive that wgrad exported.';
const FORMAT = 'wgrad run';
const VERSION = 2;
const WEIGHTS = 'weights.safetensors';
const CHECKPOINT = 'checkpoint.safetensors';
const HISTOGRAMS = 'histograms.safetensors';

/** Images per second over the whole run, tests included; undefined before the first step. */
const rateOf = ({ step, config, trainedMs }: StoredRun): number | undefined =>
  trainedMs > 0 ? (1000 * step * config.batchSize) / trainedMs : undefined;

const textFile = (path: string, content: string): PackedFile => ({
  path,
  bytes: new TextEncoder().encode(content),
});

/** Parts of a run besides its record. */
export interface RunParts {
  points: Points;
  weights?: { step: number; bytes: Uint8Array<ArrayBuffer> };
  /** As they were written. */
  checkpoint?: Uint8Array<ArrayBuffer>;
  histograms?: Uint8Array<ArrayBuffer>;
}

/** @param model model.json */
export function filesOf(
  record: StoredRun,
  model: string,
  { points, weights, checkpoint, histograms }: RunParts,
): PackedFile[] {
  const { record: _line, start: _start, sweep: _sweep, ...config } = record.config;
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
    changes: record.changes,
    confusion: record.confusion,
    weightsStep: weights?.step,
  };
  const { adapter, software, trainedMs, choices } = record;
  const imagesPerSecond = record.imagesPerSecond ?? rateOf(record);
  return [
    textFile('config.json', JSON.stringify(about, null, 2)),
    textFile('metrics.csv', writeMetrics({ points, evaluations: record.evaluations })),
    textFile('model.json', model),
    textFile(
      'timings.json',
      JSON.stringify({ adapter, software, trainedMs, imagesPerSecond, choices }, null, 2),
    ),
    ...(weights ? [{ path: WEIGHTS, bytes: weights.bytes }] : []),
    ...(checkpoint ? [{ path: CHECKPOINT, bytes: checkpoint }] : []),
    ...(histograms ? [{ path: HISTOGRAMS, bytes: histograms }] : []),
  ];
}

export interface ArchivedRun extends RunParts {
  /** An imported run, without its place among the runs here. */
  record: Omit<StoredRun, 'id' | 'number' | 'sketch'>;
}

/**
 * @param readModel checks model.json; asked only where the model is a built one
 * @throws Failure `bad-file` that says which part is wrong
 */
export async function readArchive(
  files: readonly PackedFile[],
  readModel: (text: string) => Promise<ModelFile>,
): Promise<ArchivedRun> {
  const find = (path: string) => files.find((file) => file.path === path);
  const textOf = (path: string) => {
    const file = find(path);
    if (!file) throw bad('the archive', `a file ${path}`, `${files.length} others`);
    return new TextDecoder().decode(file.bytes);
  };
  const json = jsonOf('config.json', textOf('config.json'));
  const { version } = checked('config.json', Header, json, ADVICE);
  if (version !== VERSION) {
    throw new Failure(
      'unsupported',
      `config.json: expected version ${VERSION} of the format, found ${version}`,
      'Open it with the version of wgrad that wrote it.',
    );
  }
  const about = checked('config.json', About, json, ADVICE);
  const { dataset, model: registered } = about.config;
  const timings = checked('timings.json', Timings, jsonOf('timings.json', textOf('timings.json')), ADVICE);
  const began = Date.parse(about.began);
  const { changes, classes, confusion, parent } = about;
  if (confusion && confusion.length !== classes.length ** 2) {
    throw bad('config.json', `a confusion matrix of ${classes.length ** 2} counts`, String(confusion.length));
  }
  const weights = find(WEIGHTS);
  const checkpoint = find(CHECKPOINT);
  const histograms = find(HISTOGRAMS);
  const { points, evaluations } = readMetrics(textOf('metrics.csv'));
  return {
    points,
    record: {
      name: about.name.slice(0, 80),
      note: about.note.slice(0, 10_000),
      starred: false,
      began: Number.isFinite(began) ? began : Date.now(),
      kept: Date.now(),
      config: {
        ...storedSettings('config.json', about.config),
        model: registered ?? (await readModel(textOf('model.json'))),
        dataset,
      },
      ...(changes ? { changes } : {}),
      model: about.model,
      dataset: about.dataset,
      classes,
      step: about.step,
      epoch: about.epoch,
      state: 'stopped',
      adapter: timings.adapter,
      software: timings.software === true,
      trainedMs: timings.trainedMs,
      imagesPerSecond: timings.imagesPerSecond,
      choices: choicesOf(timings.choices ?? {}),
      evaluations,
      confusion,
      ...(parent
        ? { parent: { ...parent, id: parent.id.slice(0, 80), name: parent.name.slice(0, 80) } }
        : {}),
    },
    ...(weights ? { weights: { step: about.weightsStep ?? about.step, bytes: weights.bytes } } : {}),
    checkpoint: checkpoint?.bytes,
    histograms: histograms?.bytes,
  };
}

const amount = v.pipe(v.number(), v.finite(), v.minValue(0));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const list = <S extends v.GenericSchema>(item: S) => v.pipe(v.array(item), v.maxLength(1e6));

const Header = v.object({ format: v.literal(FORMAT), version: amount });

const About = v.object({
  name: v.string(),
  note: v.string(),
  began: v.string(),
  model: v.string(),
  dataset: v.string(),
  classes: list(v.string()),
  step: amount,
  epoch: amount,
  parent: v.optional(v.object({ id: v.string(), name: v.string(), step: amount })),
  confusion: v.optional(list(count)),
  weightsStep: v.optional(amount),
  // The settings themselves are checked against their table; a custom model is in model.json.
  config: v.looseObject({ model: v.nullable(v.string()), dataset: v.string() }),
  // Of those settings, at their steps.
  changes: v.optional(v.array(storedAdjustment(LIVE_KEYS))),
});

const Timings = v.object({
  adapter: v.string(),
  software: v.optional(v.unknown()),
  trainedMs: amount,
  imagesPerSecond: v.optional(amount),
  choices: v.optional(v.record(v.string(), v.unknown())),
});

const Uses = v.record(v.string(), v.looseObject({ algorithm: v.string() }));

/** Shown only: each convolution's algorithm by direction. What has another form is left out. */
const choicesOf = (given: Readonly<Record<string, unknown>>): Choices =>
  Object.fromEntries(Object.entries(given).filter(([, uses]) => v.is(Uses, uses))) as Choices;

const bad = (where: string, expected: string, found: string): Failure =>
  new Failure('bad-file', `${where}: expected ${expected}, found ${found}`, ADVICE);

function jsonOf(where: string, text: string): unknown {
  try {
    return parsePlainJson(text);
  } catch (error) {
    throw bad(where, 'JSON', error instanceof Error ? error.message : String(error));
  }
}
