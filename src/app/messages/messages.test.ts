import { expect, test } from 'vitest';
import { formsOf } from './forms.ts';
import { inLanguage, languageOf, translated, type Texts } from './language.ts';

const english = { title: 'Runs', runs: (count: number) => `${count} runs` };

test('a file of the page’s language takes the place of the English texts; without one they stay', async () => {
  const german: Texts = { title: 'Läufe', runs: (count: number) => `${count} Läufe` };
  const files = {
    './de/runs.tsx': async () => ({ default: german }),
    './fr/runs.tsx': () => Promise.reject(new Error('offline')),
  };
  const texts = inLanguage('runs', english, files, 'de');
  expect(texts.title).toBe('Runs');
  await translated();
  expect([texts.title, texts.runs(2)]).toEqual(['Läufe', '2 Läufe']);
  expect(inLanguage('runs', english, files, 'en')).toBe(english);
  const french = inLanguage('runs', english, files, 'fr');
  await translated();
  expect(french.title).toBe('Runs');
});

test('the first preferred language that there are texts in is chosen, else English', () => {
  expect(languageOf(['fr-CH', 'de-CH', 'en'], ['de'])).toBe('de');
  expect(languageOf(['en-GB', 'de'], ['de'])).toBe('en');
  expect(languageOf(['ja'], ['de'])).toBe('en');
});

test('words follow the rules of the language, and numbers its way of writing', () => {
  const { many } = formsOf('en');
  const steps = { one: 'step', other: 'steps' };
  expect([many(1, steps), many(1200, steps), many(0, steps)]).toEqual(['1 step', '1,200 steps', '0 steps']);
  const polish = formsOf('pl');
  const runs = { one: 'bieg', few: 'biegi', many: 'biegów', other: 'biegu' };
  expect([1, 3, 5].map((n) => polish.word(n, runs))).toEqual(['bieg', 'biegi', 'biegów']);
});
