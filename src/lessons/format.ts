/**
 * A lesson as data: what it sets, shows and checks, and its texts. Files and links of others are read here: each mistake
 * is a message that names its place, and nothing of a lesson with a mistake is used. docs/lessons.md describes the format.
 */
import * as v from 'valibot';
import { checked } from '../base/checked.ts';
import { attempt, Failure, type Result } from '../base/result.ts';
import { ABOUTS } from '../ops/abouts.ts';
import { linkOf, SETTING_KEYS } from '../run/settings/table.ts';
import { CHECK_NAMES, kindOf, type LessonCheck } from './checks.ts';
import { readJson } from './read-json.ts';

export const LESSON_VERSION = 1;

/** Characters of a whole lesson: far more than a person reads in five minutes, with room for a network. */
const LONGEST = 200_000;
const MOST_TASKS = 12;
const MOST_CHOICES = 6;

const ADVICE = 'Correct it there, or ask whoever made the lesson.';

/** What a task can point at, besides settings by their names in links. */
export const PLACES: Readonly<Record<string, string>> = {
  train: '[data-verb="Train"], [data-verb="Pause"]',
  step: '[data-verb="Step"]',
  data: '[data-tour="data"]',
  model: '[data-tour="model"]',
  pad: '[data-tour="pad"]',
  loss: '[data-tour="loss"]',
  accuracy: '[data-tour="accuracy"]',
  mistakes: '[data-tour="mistakes"]',
};

const SETTING_NAMES: readonly string[] = SETTING_KEYS.map(linkOf);
export const settingNamed = (name: string) => SETTING_KEYS.find((key) => linkOf(key) === name);
export const PLACE_NAMES: readonly string[] = [...Object.keys(PLACES), ...SETTING_NAMES];
export const CHECKED_SETTINGS: readonly string[] = ['model', 'data', ...SETTING_NAMES];
export const OPS: readonly string[] = [...ABOUTS.keys()];

/** "inspect/image": a screen, or one of its views. */
const SCREEN = /^[a-z]+(\/[a-z-]+)?$/;

const TAG = /<\/?[a-z!][^<>]*>/i;
const ADDRESS = /\b[a-z][a-z\d+.-]*:\/\/|\bwww\.|\b(?:javascript|data|mailto):/i;

const text = (most: number) =>
  v.pipe(
    v.string(),
    v.check((given) => given.trim() !== '', 'a text that is not empty'),
    v.check((given) => given.length <= most, `a text of at most ${most} characters`),
    v.check((given) => !TAG.test(given), 'plain text, without HTML'),
    v.check((given) => !ADDRESS.test(given), 'a text without addresses of other pages'),
  );

const list = <S extends v.GenericSchema>(item: S, least: number, most: number) =>
  v.pipe(
    v.array(item),
    v.check(
      ({ length }) => length >= least && length <= most,
      least === most ? `a list of ${least}` : `a list of ${least} to ${most}`,
    ),
  );

const oneOf = (names: readonly string[], what: string) =>
  v.pipe(
    v.string(),
    v.check((name) => names.includes(name), what),
  );

const paragraphs = list(text(1200), 1, 12);
const choices = list(text(200), 2, MOST_CHOICES);

/** Why a check is not one, as what was expected; undefined if it is. */
function wrongInCheck({ check, of, atLeast, atMost, is }: LessonCheck): string | undefined {
  const kind = kindOf(check);
  const knows: Partial<Record<string, (name: string) => boolean>> = {
    op: (name) => OPS.includes(name),
    setting: (name) => CHECKED_SETTINGS.includes(name),
    network: (name) => name === 'trained' || name === 'run',
    screen: (name) => SCREEN.test(name),
    choice: (name) => /^[1-6]$/.test(name),
  };
  const isKnown = kind.of === undefined ? of === undefined : of !== undefined && knows[kind.of]?.(of);
  if (!isKnown)
    return kind.of === undefined
      ? `the check ${check} without "of"`
      : `the check ${check} with "of", ${SUBJECTS[kind.of]}`;
  const limits = [atLeast, atMost].filter((limit) => limit !== undefined).length;
  if (is !== undefined)
    return check === 'setting' && limits === 0 ? undefined : `"is" only in the check setting, without limits`;
  if (kind.unit === 'fact') return limits === 0 ? undefined : `the check ${check} without limits`;
  if (limits === 0) return `the check ${check} with "atLeast" or "atMost"`;
  if ((atLeast ?? -Infinity) > (atMost ?? Infinity)) return '"atLeast" below "atMost"';
  return undefined;
}

const SUBJECTS = {
  op: `an op such as max_pool`,
  setting: `a setting’s name in links, such as lr`,
  network: `"trained" or "run"`,
  screen: `a screen such as inspect/image`,
  choice: `the number of the right choice`,
};

const limit = v.optional(v.pipe(v.number(), v.finite('a finite number')));

const check = v.pipe(
  v.strictObject({
    check: v.picklist(CHECK_NAMES),
    of: v.optional(v.string()),
    atLeast: limit,
    atMost: limit,
    is: v.optional(v.string()),
  }),
  v.check(
    (given) => wrongInCheck(given) === undefined,
    (issue) => wrongInCheck(issue.input as LessonCheck) ?? '',
  ),
);

const settings = v.record(
  v.string(),
  v.pipe(v.string(), v.maxLength(400, 'a text of at most 400 characters')),
);
const network = v.optional(v.looseObject({ layers: v.array(v.unknown()) }));

const parts = (screens: readonly string[]) => ({
  lesson: v.literal(LESSON_VERSION),
  /** What it prepares, by names as in links. */
  settings,
  network,
  /** The right choice of the question at the beginning, from 1. */
  right: v.pipe(
    v.number(),
    v.check((n) => Number.isInteger(n) && n >= 1 && n <= MOST_CHOICES, 'the number of a choice, from 1'),
  ),
  tasks: list(
    v.strictObject({
      /** Where it is done; Train if absent. */
      screen: v.optional(
        v.pipe(
          v.string(),
          v.check(
            (at) => screens.includes(at.split('/')[0]) && SCREEN.test(at),
            `a screen of this page: ${screens.join(', ')}, with its view as in inspect/network`,
          ),
        ),
      ),
      /** What is marked there. */
      show: v.optional(
        oneOf(PLACE_NAMES, `one of ${Object.keys(PLACES).join(', ')}, or a setting’s name in links`),
      ),
      /** What is set up before it, in place of what was set before. */
      settings: v.optional(settings),
      network,
      checks: list(check, 1, 5),
    }),
    1,
    MOST_TASKS,
  ),
});

const TEXTS = {
  title: text(80),
  /** One line for the list. */
  about: text(200),
  intro: paragraphs,
  question: text(400),
  choices,
  tasks: list(
    v.strictObject({
      title: text(80),
      text: text(1200),
      /** For a task whose check is an answer. */
      choices: v.optional(choices),
      /** Said when it is done. */
      done: text(800),
    }),
    1,
    MOST_TASKS,
  ),
  explanation: paragraphs,
};

const lessonSchema = (screens: readonly string[]) =>
  v.strictObject({ ...parts(screens), texts: v.strictObject(TEXTS) });

export type Lesson = v.InferOutput<ReturnType<typeof lessonSchema>>;
export type LessonTask = Lesson['tasks'][number];
export type LessonTexts = Lesson['texts'];

/** What the page has, to check a lesson against. */
export interface LessonNames {
  screens: readonly string[];
  /** What is wrong with settings of a link, each naming its part. */
  mistakesIn(settings: Readonly<Record<string, string>>): readonly string[];
}

/** @throws Failure('bad-file') */
function bad(where: string, message: string): never {
  throw new Failure('bad-file', `${where}: ${message}`, ADVICE);
}

/** What has to fit together, beyond the form of each part. */
function checkWhole(where: string, lesson: Lesson, names: LessonNames): void {
  const { texts, tasks, right } = lesson;
  if (right > texts.choices.length)
    bad(where, `expected right to be one of the ${texts.choices.length} choices, found ${right}`);
  if (texts.tasks.length !== tasks.length)
    bad(
      where,
      `expected texts.tasks to have one entry for each of the ${tasks.length} tasks, found ${texts.tasks.length}`,
    );
  tasks.forEach((one, i) => {
    const { choices: given } = texts.tasks[i];
    const answers = one.checks.filter((each) => each.check === 'answer');
    if (answers.length > 0 !== (given !== undefined))
      bad(where, `expected texts.tasks.${i} to have choices if, and only if, tasks.${i} checks an answer`);
    const beyond = answers.find(({ of }) => Number(of) > (given?.length ?? 0));
    if (beyond)
      bad(
        where,
        `expected tasks.${i}.checks to name one of the ${given?.length ?? 0} choices, found ${beyond.of ?? ''}`,
      );
    checkSettings(`${where}: tasks.${i}.settings`, one.settings ?? {}, names);
  });
  checkSettings(`${where}: settings`, lesson.settings, names);
}

/** By the same rules as the settings of a link. A network is beside them. */
function checkSettings(where: string, given: Readonly<Record<string, string>>, names: LessonNames): void {
  for (const reserved of ['v', 'net', 'tour', 'present'])
    if (reserved in given) bad(where, `${reserved}: unknown setting`);
  const [mistake] = names.mistakesIn(given);
  if (mistake !== undefined) bad(where, mistake.replace(/\.$/, ''));
}

/**
 * Reads a lesson.
 * @param where for messages: "my-lesson.json"
 */
export const readLesson = (where: string, given: string, names: LessonNames): Promise<Result<Lesson>> =>
  attempt(() => {
    const lesson = checked(
      where,
      lessonSchema(names.screens),
      readJson(where, given, LONGEST, ADVICE),
      ADVICE,
    );
    checkWhole(where, lesson, names);
    return lesson;
  });

/** As it goes into files and links. */
export const lessonText = (lesson: Lesson): string => JSON.stringify(lesson, undefined, 2);
