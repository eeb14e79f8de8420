/**
 * Results of lessons that were made in different browsers, computed again by a teacher and in Node. Five
 * lessons with what needs functions such as log, cos and exp: each browser's own have other last bits.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compressed } from '../../src/app/share/compress.ts';
import type { Tab } from '../browsers/tab.ts';
import { expect, test, type BrowserName } from '../browsers/visit.ts';

const layer = (name: string, op: string, attributes: object = {}) => ({ name, op, attributes });
const SMOOTH = {
  name: 'smooth',
  title: 'Smooth activations',
  input: [1, 28, 28],
  classes: 10,
  layers: [
    layer('conv1', 'conv', { outChannels: 6, kernelSize: 5, stride: 2 }),
    layer('act1', 'gelu'),
    layer('flatten', 'flatten'),
    layer('drop', 'dropout', { p: 0.2 }),
    layer('fc1', 'linear', { outFeatures: 32 }),
    layer('act2', 'tanh'),
    layer('fc2', 'linear', { outFeatures: 10 }),
  ],
};

/** What each lesson sets, by the names of links. */
const SHARED = { images: '200', batch: '20', epochs: '2' };
const LESSONS: { title: string; sets: Record<string, string>; network?: object }[] = [
  {
    title: 'Normal weights and half a cosine',
    sets: {
      init: 'kaiming_normal_fan_in',
      optimiser: 'sgd',
      lr: '0.05',
      momentum: '0.9',
      schedule: 'cosine',
      lookahead: '3',
    },
  },
  { title: 'One cycle', sets: { optimiser: 'adamw', lr: '0.005', schedule: 'one-cycle', ema: '0.9' } },
  { title: 'Moved and blended', sets: { varied: 'crop=3,mixup=0.2', init: 'xavier_normal' } },
  {
    title: 'Wrong labels, and some held back',
    sets: { wrong: '20', validation: '20', smoothing: '0.1', classweights: 'balanced' },
  },
  { title: 'Smooth activations', network: SMOOTH, sets: { lr: '0.003' } },
];
const SEEDS = [1, 2024];

interface Submitted {
  name: string;
  runs: { engine: string }[];
}

/** A lesson as a teacher would send it. */
const lessonOf = ({ title, sets, network }: (typeof LESSONS)[number], seed: number) => ({
  lesson: 1,
  settings: { ...SHARED, ...sets, seed: String(seed) },
  ...(network ? { network } : {}),
  right: 1,
  tasks: [{ show: 'train', checks: [{ check: 'epochs', atLeast: 2 }] }],
  texts: {
    title,
    about: 'It is trained to its end.',
    intro: ['A short run.'],
    question: 'Will it come out the same elsewhere?',
    choices: ['Yes', 'No'],
    tasks: [{ title: 'Train', text: 'Select Train.', done: 'That was all of it.' }],
    explanation: ['It has to.'],
  },
});

/** What a pupil sees as a button, a radio button or a checkbox of this text, and may press. */
const named = (start: string) =>
  `[...document.querySelectorAll('button, label')].find((one) => one.textContent.trim().startsWith(${JSON.stringify(start)}) && one.getClientRects().length > 0 && one.ariaDisabled !== 'true')`;
const press = (tab: Tab, start: string) =>
  expect
    .poll(() => tab.evaluate<boolean>(`((one) => { one?.click(); return Boolean(one); })(${named(start)})`), {
      message: start,
    })
    .toBe(true);
const shows = (tab: Tab, text: string) =>
  expect.poll(() => tab.evaluate<string>('document.body.textContent'), { message: text }).toContain(text);

/** Does a lesson as a pupil would, and saves the file. */
async function submissionOf(
  tab: Tab,
  name: string,
  lesson: object,
  engine: 'cpu' | 'gpu' = 'cpu',
): Promise<Submitted> {
  const address = `#/lessons/sent?lesson=${await compressed(JSON.stringify(lesson))}`;
  await tab.evaluate(`void (location.hash = ${JSON.stringify(address)})`);
  await shows(tab, 'Will it come out the same elsewhere?');
  await press(tab, 'Yes');
  if (engine === 'gpu') await press(tab, 'Train on the GPU');
  await press(tab, 'Set it up');
  await shows(tab, 'Task 1 of 1');
  // Not before the lesson's page has gone, whose choice of the GPU begins with this word, too.
  await expect.poll(() => tab.evaluate<string>('location.hash')).not.toContain('lessons');
  await expect.poll(() => tab.evaluate<boolean>(`Boolean(${named('Set it up')})`)).toBe(false);
  await press(tab, 'Train');
  await shows(tab, 'That was all of it.');
  await tab.evaluate(`void (location.hash = ${JSON.stringify(address)})`);
  await tab.evaluate(`void (window.saved = undefined, window.make ??= URL.createObjectURL,
    URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text; }); return window.make(blob); })`);
  await press(tab, 'Save the file');
  await expect
    .poll(() => tab.evaluate<string>('String(window.saved)'), { message: 'the file' })
    .toContain('wgrad');
  const result = JSON.parse(await tab.evaluate<string>('window.saved')) as Submitted;
  expect(result.runs).toHaveLength(1);
  expect(result.runs[0].engine).toBe(engine);
  return { ...result, name };
}

/** What `wgrad check` says of each run in the files. */
async function checkedInNode(files: readonly string[], threads: number): Promise<{ how: string }[]> {
  const env = { ...process.env, WGRAD_THREADS: String(threads) };
  const { stdout } = await promisify(execFile)('node', ['scripts/wgrad.mjs', 'check', ...files], { env });
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { how: string });
}

test('results of five lessons from three browsers are confirmed in another and in Node, and one of a GPU is not checked', async ({
  visit,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'wgrad-submissions-'));
  const browsers: BrowserName[] = ['Chromium', 'Firefox without WebGPU', 'WebKitGTK'];
  const tabs: Tab[] = [];
  for (const name of browsers) {
    const tab = await visit(name as 'Chromium');
    await tab.open();
    tabs.push(tab);
  }
  const results: Submitted[] = [];
  for (const lesson of LESSONS)
    for (const seed of SEEDS) {
      const at = results.length % browsers.length;
      const name = `${results.length + 1} ${browsers[at]}`;
      console.log(`${lesson.title}, seed ${seed}: ${name}`);
      results.push(await submissionOf(tabs[at], name, lessonOf(lesson, seed)));
    }
  const gpu = await visit('Chromium with WebGPU');
  await gpu.open();
  const onGpu = await submissionOf(gpu, 'GPU', lessonOf(LESSONS[0], SEEDS[0]), 'gpu');

  const files = [...results, onGpu].map((content, i) => {
    const file = join(folder, `${i}.json`);
    writeFileSync(file, JSON.stringify(content));
    return file;
  });
  for (const threads of [1, 2])
    expect((await checkedInNode(files, threads)).map(({ how }) => how)).toEqual([
      ...results.map(() => 'confirmed'),
      'unchecked',
    ]);

  const teacher = (await visit('Chromium')).page;
  await teacher.goto('./#/lessons/submissions');
  await teacher.getByLabel('Files that were handed in').setInputFiles(files);
  await expect(teacher.getByText('11 results here.')).toBeVisible();
  await teacher.getByRole('button', { name: 'Compute again' }).click();
  await expect(teacher.getByText('11 runs computed again.')).toBeVisible();
  const shownOf = async ({ name }: Submitted) => {
    const row = teacher.getByRole('row', { name: new RegExp(`^${name}, task 1`) });
    return (await row.getByRole('cell').first().innerText()).replaceAll(/\s+/g, ' ');
  };
  for (const result of results)
    expect
      .soft(await shownOf(result), result.name)
      .toMatch(/^Confirmed exactly the same numbers, \d+ losses compared$/);
  expect.soft(await shownOf(onGpu)).toMatch(/^Not checked computed on another GPU/);
  rmSync(folder, { recursive: true });
});
