/** Writes what a pupil has done in a lesson as a submission. */
import { Failure } from '../../base/result.ts';
import { VERSION } from '../../base/version.ts';
import { datasetChecksum } from '../../data/checksum.ts';
import { packLosses } from '../../lessons/losses.ts';
import type { Evidence } from '../../lessons/progress.ts';
import {
  fingerprintOf,
  MAX_ANSWERS,
  MAX_STEPS,
  readSubmission,
  submissionOf,
  submissionText,
  type SubmittedRun,
} from '../../lessons/submission.ts';
import { toJson } from '../../models/file/write.ts';
import { actedOn, type Adjustment } from '../../run/settings/adjustments.ts';
import { SETTING_KEYS, settingOf, type SettingKey } from '../../run/settings/table.ts';
import type { DoneLesson, RunConfig, StoredRun } from '../api.ts';
import { modelOf } from '../builder/choice.ts';
import type { Services } from '../services.ts';

type Kept = Pick<Services, 'datasets' | 'runs' | 'store'>;

/** The text of its file. */
export async function writeSubmission(services: Kept, given: DoneLesson): Promise<string> {
  const { id, lesson, progress, name } = given;
  const { began, prediction, answers, done } = progress;
  const records = runsOf(done);
  const runs: SubmittedRun[] = [];
  for (const { record, step, engine } of records.values())
    runs.push(await submittedRun(services, record, step, engine));
  const places = [...records.keys()];
  const submission = submissionOf({
    wgrad: VERSION,
    lesson: { name: id, title: lesson.texts.title, content: await fingerprintOf(lesson) },
    name: name || undefined,
    began,
    prediction,
    answers: answers.map((list) => list.slice(-MAX_ANSWERS)),
    done: lesson.tasks.map((_, i) => {
      const { at, run } = done[i] ?? {};
      return at === undefined ? null : { at, run: run && places.indexOf(run.record) };
    }),
    runs,
  });
  const text = submissionText(submission);
  // What cannot be read is not handed in.
  const read = await readSubmission('the file', text);
  if (!read.ok) throw new Failure('bad-input', read.error.message, 'Change it, and save again.');
  return text;
}

/** The runs that tasks were done with, each up to the last of these tasks, by the id under which it is kept. */
function runsOf(done: readonly (Evidence | null)[]) {
  const runs = new Map<string, NonNullable<Evidence['run']>>();
  for (const { run } of done.filter((one) => one !== null)) {
    const before = run && runs.get(run.record);
    if (run && (before?.step ?? 0) <= run.step) runs.set(run.record, run);
  }
  return runs;
}

/**
 * A kept run up to a step. An open one is paused meanwhile.
 * @param engine that it was trained on
 */
export function submittedRun(
  services: Kept,
  id: string,
  step: number,
  engine: SubmittedRun['engine'],
): Promise<SubmittedRun> {
  // What an open run did last is written when it pauses.
  return services.runs.whilePaused(async () => {
    await services.runs.written();
    return packed(services, id, step, engine);
  });
}

async function packed(
  { datasets, store }: Kept,
  id: string,
  wanted: number,
  engine: SubmittedRun['engine'],
): Promise<SubmittedRun> {
  const record = await store.get(id);
  const { config, changes = [], evaluations } = record;
  const { step: places, loss } = await store.files.curves(id);
  const steps = Math.min(wanted, MAX_STEPS, places.length);
  if (steps === 0 || places.subarray(0, steps).some((place, i) => place !== i + 1))
    throw new Failure(
      'not-found',
      `The losses of ${record.name} are not kept for every step.`,
      'Do the task again with a new run.',
    );
  const test = evaluations.findLast((one) => one.step <= steps);
  const { model, start, dataset } = config;
  return {
    engine,
    adapter: record.adapter.slice(0, 200),
    model: typeof model === 'string' ? model : ownModel(toJson(await modelOf(model))),
    dataset,
    images: await datasetChecksum(await datasets.get(dataset)),
    settings: settingsOf(config),
    adjustments: actedOn(changes, steps).flatMap(stepwise),
    pins: engine === 'cpu' ? pinsOf(record) : [],
    start: start?.name.slice(0, 200),
    steps,
    losses: await packLosses(loss.slice(0, steps)),
    // What is no number becomes null in the file.
    test: test && {
      step: test.step,
      testLoss: test.testLoss,
      testAccuracy: test.testAccuracy,
      validationLoss: test.validationLoss,
      validationAccuracy: test.validationAccuracy,
    },
  };
}

const ownModel = (text: string) => JSON.parse(text) as Exclude<SubmittedRun['model'], string>;

/** Nothing else of its configuration. */
const settingsOf = (config: RunConfig): SubmittedRun['settings'] =>
  Object.fromEntries(
    SETTING_KEYS.flatMap((key) => (config[key] === undefined ? [] : [[key, config[key]]])),
  ) as SubmittedRun['settings'];

/** What of a change is felt by steps: none, or one. */
function stepwise({ step, ...changes }: Adjustment): SubmittedRun['adjustments'] {
  const felt = Object.entries(changes).filter(([key]) => settingOf(key as SettingKey).live === 'step');
  return felt.length > 0 ? [{ step, ...Object.fromEntries(felt) }] : [];
}

/** Algorithms that do not follow from the settings: those chosen by hand, and those that were measured here. */
function pinsOf({ config, choices }: StoredRun): SubmittedRun['pins'] {
  const found = Object.entries(choices).flatMap(([layer, uses]) =>
    Object.entries(uses).flatMap(([direction, { algorithm, launch, by }]) =>
      by === 'find'
        ? [{ layer, direction: direction as 'fprop' | 'dgrad' | 'wgrad', algorithm, launch }]
        : [],
    ),
  );
  return [...(config.pins ?? []).map((pin) => ({ ...pin })), ...found];
}
