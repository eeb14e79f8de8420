import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { datasets } from '../../data/catalogue.ts';
import { parseModel } from '../../models/file/parse.ts';
import { models } from '../../models/index.ts';
import { lessonText, readLesson, type Lesson } from './format.ts';
import { lessonTitles } from './titles.ts';

const SCREENS = ['train', 'build', 'inspect', 'lab', 'doctor', 'runs', 'help', 'lessons'];
const names = {
  models: models.all(),
  datasets: [...datasets.all(), { name: 'own', title: 'Your images' }],
  screens: SCREENS,
};

const folder = new URL('../../../lessons/', import.meta.url);
const parsed = (name: string) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Lesson;

test('each lesson has texts, and the other way round', () => {
  const of = (path: string) =>
    readdirSync(new URL(path, folder))
      .filter((name) => name.endsWith('.json'))
      .sort();
  expect(of('.')).toEqual(of('en'));
  expect(lessonTitles.map(({ name }) => `${name}.json`).sort()).toEqual(of('.'));
});

test.each(lessonTitles.map(({ name }) => name))('%s is a valid lesson as one that is sent', async (name) => {
  const lesson = { ...parsed(`${name}.json`), texts: parsed(`en/${name}.json`) };
  expect(await readLesson(name, lessonText(lesson as never), names)).toEqual({ ok: true, value: lesson });
  for (const { network } of [lesson, ...lesson.tasks])
    if (network) expect(parseModel(name, JSON.stringify(network)).layers.length).toBeGreaterThan(0);
});
