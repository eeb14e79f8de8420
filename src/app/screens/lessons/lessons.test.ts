import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { datasets } from '../../../data/catalogue.ts';
import { parseModel } from '../../../models/file/parse.ts';
import { models } from '../../../models/index.ts';
import { summarise } from '../../../models/model.ts';
import { lessonText, readLesson, type Lesson } from '../../../lessons/format.ts';
import { readLink, VERSION } from '../../share/link.ts';
import { SCREEN_NAMES } from '../names.ts';
import { lessonTitles } from './titles.ts';

const known = { models: models.all(), datasets: [...datasets.all(), { name: 'own', title: 'Your images' }] };
const names = {
  screens: SCREEN_NAMES.map(({ name }) => name),
  mistakesIn: (settings: Readonly<Record<string, string>>) =>
    readLink({ ...settings, v: VERSION }, known).mistakes,
};

const folder = new URL('../../../../lessons/', import.meta.url);
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

test('what texts say of LeNet-5 and its parameters, with pooling and without, is so', () => {
  const lenet = models.get('lenet5');
  const all = [lenet, { ...lenet, layers: lenet.layers.filter(({ op }) => op !== 'max_pool') }].map(
    summarise,
  );
  const [text, overfitting] = ['pooling', 'overfitting'].map((name) =>
    JSON.stringify(parsed(`en/${name}.json`)),
  );
  for (const { layers, parameters } of all) {
    expect(text).toContain(parameters.toLocaleString('en'));
    const read = layers.findIndex(({ name }) => name === 'flatten');
    const [, height, width] = layers[read - 1].outputShape;
    expect(text).toContain(`${height} by ${width}`);
    expect(text).toContain(layers[read + 1].parameters.toLocaleString('en'));
  }
  const [usual, without] = all.map(({ parameters }) => parameters);
  expect(text).toContain(`About ${Math.round(without / usual)} times as many`);
  expect(overfitting).toContain(usual.toLocaleString('en'));
});
