/**
 * The page's language. English texts (`en/`) are part of the screen that shows them; a file of another language, by the
 * same name in the language's own folder, is fetched with the screen and takes their place.
 */

/** The texts of one screen by name: strings, and functions of what they are about. */
export type Texts = Readonly<Record<string, unknown>>;

type Load = () => Promise<{ default: Texts }>;

// Tests of the page in a browser read settings without Vite: in English.
const files: Readonly<Record<string, Load>> = import.meta.env
  ? import.meta.glob<{ default: Texts }>(['./*/*.tsx', '!./en/*.tsx'])
  : {};

/** The first language that the person prefers and that there are texts in. */
export function languageOf(preferred: readonly string[], known: readonly string[]): string {
  const languages = preferred.map((tag) => tag.split('-')[0]);
  return languages.find((language) => language === 'en' || known.includes(language)) ?? 'en';
}

export const language = languageOf(
  // Absent in Node.
  globalThis.navigator?.languages ?? [],
  Object.keys(files).map((path) => path.split('/')[1]),
);

let pending: Promise<unknown> = Promise.resolve();

/** A screen's texts in the page's language: at first the English ones, others when `translated` resolves. */
export function inLanguage<T extends Texts>(screen: string, english: T, loads = files, chosen = language): T {
  const load = loads[`./${chosen}/${screen}.tsx`];
  if (!load) return english;
  const texts = { ...english };
  const taken = load().then((file) => Object.assign(texts, file.default));
  // Without them, English stays.
  pending = Promise.all([pending, taken]).catch(() => undefined);
  return texts;
}

/** Resolves when the texts of all screens that are loaded are in the page's language. */
export const translated = (): Promise<unknown> => pending;
