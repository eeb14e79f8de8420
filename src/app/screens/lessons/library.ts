/** The lessons that the page comes with, and those that somebody sent, each by its address. */
import { attempt, Failure, type Result } from '../../../base/result.ts';
import { hexOf, sha256 } from '../../../base/sha256.ts';
import { ask } from '../../client.ts';
import { language } from '../../messages/language.ts';
import { parseRoute } from '../../route.ts';
import { SCREEN_NAMES } from '../names.ts';
import { compressed, expanded } from '../../share/compress.ts';
import { readLink, VERSION, type ReadLink } from '../../share/link.ts';
import { useApp } from '../../state/store.ts';
import { lessonText, readLesson, type Lesson, type LessonTexts } from '../../../lessons/format.ts';
import { lessonTitles } from './titles.ts';

/** A lesson, and what its progress is kept under. */
export interface OpenedLesson {
  id: string;
  address: string;
  lesson: Lesson;
}

type LessonParts = Omit<Lesson, 'texts'>;

const PARTS = import.meta.glob<LessonParts>('../../../../lessons/*.json', { eager: true, import: 'default' });
const ENGLISH = import.meta.glob<LessonTexts>('../../../../lessons/en/*.json', {
  eager: true,
  import: 'default',
});
const TRANSLATED = import.meta.glob<LessonTexts>(
  ['../../../../lessons/*/*.json', '!../../../../lessons/en/*'],
  { import: 'default' },
);

/** One that the page comes with, with its texts in the page's language, English where there are none. */
export async function builtIn(name: string): Promise<OpenedLesson> {
  const path = `../../../../lessons/${name}.json`;
  const translated = TRANSLATED[path.replace('lessons/', `lessons/${language}/`)];
  const english = ENGLISH[path.replace('lessons/', 'lessons/en/')];
  const texts = (await translated?.().catch(() => undefined)) ?? english;
  return { id: name, address: name, lesson: { ...PARTS[path], texts } };
}

export const allLessons = (): Promise<OpenedLesson[]> =>
  Promise.all(lessonTitles.map(({ name }) => builtIn(name)));

/** What the settings of a lesson set, in which words, and what is wrong with them: as those of a link. */
export function readSettings(settings: Readonly<Record<string, string>>): ReadLink {
  const { models, datasets } = useApp.getState();
  return readLink({ ...settings, v: VERSION }, { models, datasets });
}

/** A lesson of others, with its networks checked as those of any file are. */
export async function checkedLesson(where: string, text: string): Promise<Result<Lesson>> {
  const read = await readLesson(where, text, {
    screens: SCREEN_NAMES.map(({ name }) => name),
    mistakesIn: (settings) => readSettings(settings).mistakes,
  });
  if (!read.ok) return read;
  for (const [at, { network }] of [read.value, ...read.value.tasks].entries()) {
    if (!network) continue;
    const name = `${where}: ${at === 0 ? 'network' : `tasks.${at - 1}.network`}`;
    const model = await ask((api) => api.builder.readModel(name, JSON.stringify(network)));
    if (!model.ok) return model;
  }
  return read;
}

const SENT = 'sent';

/** The address of a lesson that travels in it. */
export const addressOfLesson = async (lesson: Lesson): Promise<string> =>
  `${SENT}?lesson=${await compressed(lessonText(lesson))}`;

/** The lesson at an address of the Lessons screen. */
export async function openLesson(address: string): Promise<Result<OpenedLesson>> {
  if (lessonTitles.some(({ name }) => name === address)) return { ok: true, value: await builtIn(address) };
  const { view, parameters } = parseRoute(`#/lessons/${address}`);
  const code = parameters['lesson'];
  const text = view === SENT && code !== undefined ? await expanded(code) : undefined;
  if (text === undefined)
    return attempt(() => {
      throw view === SENT
        ? new Failure(
            'bad-file',
            'This link has no whole lesson in it',
            'Copy all of the link, or ask for it again.',
          )
        : new Failure('not-found', `There is no lesson “${view.slice(0, 40)}”`, 'Choose one from the list.');
    });
  const read = await checkedLesson('The lesson in this link', text);
  if (!read.ok) return read;
  const hash = await sha256(new TextEncoder().encode(text));
  const id = `sent-${hexOf(hash.subarray(0, 8))}`;
  return { ok: true, value: { id, address, lesson: read.value } };
}
