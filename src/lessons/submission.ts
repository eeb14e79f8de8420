/**
 * A submission, which a pupil hands in: the answers of a lesson, and each run that a check was passed with, with all that
 * its numbers follow from. docs/lessons.md describes the file. Files of others are read here: a mistake is a message that
 * names its place.
 */
import * as v from 'valibot';
import { checked } from '../base/checked.ts';
import { attempt, Failure, type Result } from '../base/result.ts';
import { hexOf, sha256 } from '../base/sha256.ts';
import type { Adjustment } from '../run/settings/adjustments.ts';
import { storedAdjustment, storedSettings } from '../run/settings/stored.ts';
import { LIVE_KEYS, settingOf } from '../run/settings/table.ts';
import type { Lesson } from './format.ts';
import { countOf, everyOf, unpackLosses } from './losses.ts';
import { readJson } from './read-json.ts';

const FORMAT = 'wgrad lesson result';
const SUBMISSION_VERSION = 1;
/** Characters of a file: far more than a lesson with a network of one's own needs. */
export const MAX_SUBMISSION_LENGTH = 400_000;
/** The steps of a run whose losses can be submitted: from there on, what is kept of a run is no longer every step. */
export const MAX_STEPS = 16_383;
const MOST_TASKS = 12;
/** To one question: of more, the last ones are kept. */
export const MAX_ANSWERS = 200;

const ADVICE = 'Ask for the file again, as the lesson saved it.';

/** Only what steps feel is submitted. */
const adjustment = storedAdjustment(LIVE_KEYS.filter((key) => settingOf(key).live === 'step'));

// One line: what turns the direction of text, or begins a new line, would hide what is beside it. Joiners belong to words.
const HIDING = /[\p{Cc}\p{Zl}\p{Zp}\u{202A}-\u{202E}\u{2066}-\u{2069}\u{E0000}-\u{E007F}]/u;
const line = (most: number) =>
  v.pipe(
    v.string(),
    v.check((given) => given.length <= most, `a text of at most ${most} characters`),
    v.check((given) => !HIDING.test(given), 'a text on one line, none of which turns or hides'),
  );
/** Letters and signs that take room and show nothing: fillers of Hangul, and the empty sign of Braille. */
const BLANK = /[\u{115F}\u{1160}\u{2800}\u{3164}\u{FFA0}]/gu;
/** More marks on a letter than any script has cover the lines around it. */
const COVERING = /\p{M}{6}/u;
const shownLine = (most: number) =>
  v.pipe(
    line(most),
    v.check(
      (given) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(given.replace(BLANK, '')),
      'a text with a letter that shows',
    ),
    v.check((given) => !COVERING.test(given.normalize()), 'a text without letters that cover others'),
  );
const count = (most: number) =>
  v.pipe(
    v.number(),
    v.check((n) => Number.isInteger(n) && n >= 0 && n <= most, `a whole number from 0 to ${most}`),
  );
const list = <S extends v.GenericSchema>(item: S, most: number) =>
  v.pipe(
    v.array(item),
    v.check(({ length }) => length <= most, `a list of at most ${most}`),
  );
const hex = (digits: number) =>
  v.pipe(
    v.string(),
    v.check(
      (given) => given.length === digits && /^[\da-f]*$/.test(given),
      `${digits} hexadecimal digits, in lower case`,
    ),
  );
const when = v.pipe(
  line(40),
  v.check((given) => Number.isFinite(Date.parse(given)), 'a date'),
);
const choice = count(100);
/** JSON has no number for what is none. */
const measured = v.nullable(v.pipe(v.number(), v.finite('a finite number')));

const test = v.strictObject({
  step: count(MAX_STEPS),
  testLoss: measured,
  testAccuracy: measured,
  validationLoss: v.optional(measured),
  validationAccuracy: v.optional(measured),
});

const pin = v.strictObject({
  layer: v.optional(line(200)),
  direction: v.optional(v.picklist(['fprop', 'dgrad', 'wgrad'])),
  algorithm: line(80),
  launch: v.optional(line(200)),
});

const run = v.pipe(
  v.strictObject({
    engine: v.picklist(['cpu', 'gpu']),
    /** For people. */
    adapter: line(200),
    /** A registered model's name, or a model file. */
    model: v.union([line(80), v.looseObject({ layers: v.array(v.unknown()) })]),
    dataset: line(80),
    /** Of all images and labels of the data set. */
    images: hex(64),
    /** As archives have them; checked against their table. */
    settings: v.looseObject({}),
    adjustments: list(adjustment, 1000),
    pins: list(pin, 2000),
    /** The name of the run whose weights it started from. */
    start: v.optional(line(200)),
    steps: v.pipe(
      count(MAX_STEPS),
      v.check((steps) => steps > 0, 'at least one step'),
    ),
    losses: v.strictObject({
      every: count(MAX_STEPS),
      values: v.pipe(
        v.string(),
        v.check((given) => unpackLosses({ values: given }) !== undefined, '32-bit numbers in base64'),
      ),
      checksum: hex(64),
    }),
    /** The last test until then. */
    test: v.optional(test),
  }),
  // With fewer than the format has, a part of the steps could be without any to compare.
  v.check(
    ({ steps, losses: { every } }) => every === everyOf(steps),
    'losses.every to be what its number of steps asks for',
  ),
  v.check(
    ({ steps, losses }) => unpackLosses(losses)?.length === countOf(steps, losses.every),
    'a loss for each of its steps, or for every so many as losses.every says',
  ),
);

const schema = v.strictObject({
  format: v.literal(FORMAT),
  version: v.literal(SUBMISSION_VERSION),
  /** The version of wgrad that trained. */
  wgrad: line(40),
  lesson: v.strictObject({
    name: line(80),
    title: shownLine(80),
    /** What it sets and checks; see `fingerprintOf`. */
    content: hex(16),
  }),
  /** As the pupil typed it. */
  name: v.optional(shownLine(80)),
  began: when,
  /** The guess at the beginning, from 1. */
  prediction: v.optional(choice),
  /** For each task all answers to its question, in order, from 1. */
  answers: list(list(choice, MAX_ANSWERS), MOST_TASKS),
  /** For each task when it was done, and with which of the runs. */
  done: list(v.nullable(v.strictObject({ at: when, run: v.optional(count(MOST_TASKS)) })), MOST_TASKS),
  runs: list(run, MOST_TASKS),
});

type FileContent = v.InferOutput<typeof schema>;
type Settings = ReturnType<typeof storedSettings>;

/** A run as it is submitted. */
export type SubmittedRun = Omit<FileContent['runs'][number], 'settings' | 'adjustments'> & {
  settings: Settings;
  adjustments: Adjustment[];
};
export type Submission = Omit<FileContent, 'runs'> & { runs: SubmittedRun[] };

/** A file with these parts. */
export const submissionOf = (parts: Omit<Submission, 'format' | 'version'>): Submission => ({
  format: FORMAT,
  version: SUBMISSION_VERSION,
  ...parts,
});

/** As it goes into files. */
export const submissionText = (submission: Submission): string =>
  `${JSON.stringify(submission, undefined, 1)}\n`;

/**
 * Reads a submission.
 * @param where for messages: "ada.json"
 */
export const readSubmission = (where: string, text: string): Promise<Result<Submission>> =>
  attempt(() => {
    const parts = checked(where, schema, readJson(where, text, MAX_SUBMISSION_LENGTH, ADVICE), ADVICE);
    const runs = parts.runs.map((one, i) => ({
      ...one,
      settings: storedSettings(`${where}: runs.${i}.settings`, one.settings),
    }));
    parts.done.forEach((task, i) => {
      if ((task?.run ?? -1) >= runs.length)
        throw new Failure(
          'bad-file',
          `${where}: expected done.${i}.run to be one of ${runs.length} runs, found ${task?.run}`,
          ADVICE,
        );
    });
    return { ...parts, runs } as Submission;
  });

/** The same for equal values, in whichever order their parts are. */
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

const digest = (value: unknown) => sha256(new TextEncoder().encode(sorted(value)));

/** What tells apart lessons of the same name, in whichever language they are read: 16 hexadecimal digits. */
export async function fingerprintOf(lesson: Lesson): Promise<string> {
  const { texts: _, ...parts } = lesson;
  return hexOf((await digest(parts)).subarray(0, 8));
}

/** Without those that are mistaken for others. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A short code of all of a submission, the same for the same content: "7KQF-2M9X". */
export async function codeOf(submission: Submission): Promise<string> {
  const letters = Array.from((await digest(submission)).subarray(0, 8), (byte) => LETTERS[byte % 32]).join(
    '',
  );
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}
