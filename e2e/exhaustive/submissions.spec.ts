/**
 * Results of lessons that were made in different browsers and in Node, and edited ones, computed again by a teacher. Five
 * lessons with what needs functions such as log, cos and exp: each browser's own have other last bits.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packLosses, unpackLosses, type SubmittedLosses } from '../../src/lessons/losses.ts';
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

/** What each lesson sets, by the names of links and of the command line. */
const SHARED = {
  link: { images: '200', batch: '20', epochs: '2' },
  options: '--train-images 200 --batch-size 20 --epochs 2',
};
const LESSONS = [
  {
    title: 'Normal weights and half a cosine',
    link: {
      init: 'kaiming_normal_fan_in',
      optimiser: 'sgd',
      lr: '0.05',
      momentum: '0.9',
      schedule: 'cosine',
      lookahead: '3',
    },
    options:
      '--weights-init kaiming_normal_fan_in --optimizer sgd --lr 0.05 --momentum 0.9 --schedule cosine --lookahead 3',
  },
  {
    title: 'One cycle',
    link: { optimiser: 'adamw', lr: '0.005', schedule: 'one-cycle', ema: '0.9' },
    options: '--optimizer adamw --lr 0.005 --schedule one-cycle --ema 0.9',
  },
  {
    title: 'Moved and blended',
    link: { varied: 'crop=3,mixup=0.2', init: 'xavier_normal' },
    options: '--augment crop=3,mixup=0.2 --weights-init xavier_normal',
  },
  {
    title: 'Wrong labels, and some held back',
    link: { wrong: '20', validation: '20', smoothing: '0.1', classweights: 'balanced' },
    options: '--wrong-labels 0.2 --validation 0.2 --label-smoothing 0.1 --class-weights balanced',
  },
  { title: 'Smooth activations', network: SMOOTH, link: { lr: '0.003' }, options: '--lr 0.003' },
];
const SEEDS = [1, 2024];

interface Run {
  engine: string;
  settings: Record<string, unknown>;
  adjustments: object[];
  steps: number;
  losses: SubmittedLosses;
  test: { testLoss: number; testAccuracy: number };
}
interface Result {
  name: string;
  runs: [Run];
}

/** A lesson as a teacher would send it. */
const lessonOf = ({ title, link, network }: (typeof LESSONS)[number], seed: number) => ({
  lesson: 1,
  settings: { ...SHARED.link, ...link, seed: String(seed) },
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
): Promise<Result> {
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
  const result = JSON.parse(await tab.evaluate<string>('window.saved')) as Result;
  expect(result.runs).toHaveLength(1);
  expect(result.runs[0].engine).toBe(engine);
  return { ...result, name };
}

const program = promisify(execFile);
const wgrad = async (words: readonly string[], threads = '1'): Promise<Record<string, number>[]> => {
  const env = { ...process.env, WGRAD_THREADS: threads };
  const { stdout } = await program('node', ['scripts/wgrad.mjs', ...words], { env, maxBuffer: 2 ** 26 });
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, number>);
};

/** The same run on the command line. */
async function inNode(
  { options, network }: (typeof LESSONS)[number],
  seed: number,
  threads: string,
  folder: string,
): Promise<{ losses: Float32Array; test: object }> {
  const model = join(folder, `${seed}.json`);
  if (network) writeFileSync(model, JSON.stringify(network));
  const lines = await wgrad(
    [
      ...['train', '--engine', 'cpu', '--dataset', 'digits', '--model', network ? model : 'lenet5'],
      ...[...SHARED.options.split(' '), ...options.split(' '), '--seed', String(seed)],
    ],
    threads,
  );
  const last = lines.findLast((line) => 'epoch' in line) ?? {};
  return {
    losses: Float32Array.from(lines.flatMap(({ step, loss }) => (step === undefined ? [] : [loss]))),
    test: {
      testLoss: last['test_loss'],
      testAccuracy: last['test_accuracy'],
      ...('validation_loss' in last
        ? { validationLoss: last['validation_loss'], validationAccuracy: last['validation_accuracy'] }
        : {}),
    },
  };
}

/** Ways to edit a result, with the words by which it is shown. */
const EDITS: Record<string, (run: Run) => Promise<{ run: Run; shown: RegExp }>> = {
  async loss(run) {
    const losses = lossesOf(run);
    const was = losses[run.steps - 1];
    losses[run.steps - 1] = 2 ** -7;
    const values = (await packLosses(losses)).values;
    return {
      run: { ...run, losses: { ...run.losses, values } },
      shown: both(`step ${run.steps}: loss`, 2 ** -7, was),
    };
  },
  async accuracy(run) {
    const shown = both(`test accuracy at step ${run.steps}:`, 0.999, run.test.testAccuracy);
    return { run: { ...run, test: { ...run.test, testAccuracy: 0.999 } }, shown };
  },
  async setting(run) {
    const lr = (run.settings['lr'] as number) / 2;
    return {
      run: { ...run, settings: { ...run.settings, lr } },
      shown: /from step [12]: loss [\d.]+ in the file, [\d.]+ here/,
    };
  },
  async seed(run) {
    const shown = /from step 1: loss [\d.]+ in the file, [\d.]+ here/;
    return { run: { ...run, settings: { ...run.settings, seed: 77 } }, shown };
  },
  async change(run) {
    const adjustments = [{ step: 9, lr: 0.0001 }];
    return { run: { ...run, adjustments }, shown: /from step 1[01]: loss [\d.]+ in the file, [\d.]+ here/ };
  },
  async curve(run) {
    const losses = lossesOf(run);
    const at = Math.floor(run.steps / 2);
    const was = losses[at];
    losses[at] *= 0.9;
    // With the right checksum of the wrong curve.
    return {
      run: { ...run, losses: await packLosses(losses) },
      shown: both(`step ${at + 1}: loss`, losses[at], was),
    };
  },
};

const lossesOf = (run: Run) => unpackLosses(run.losses) ?? new Float32Array();
const digits = (value: number) => String(Number(value.toPrecision(9))).replace('.', '\\.');
const both = (start: string, there: number, here: number) =>
  new RegExp(`${start} ${digits(there)} in the file, ${digits(here)} here`);

test('20 results of five lessons from three browsers and Node are confirmed, 20 edited ones differ, and one of a GPU is not checked', async ({
  visit,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'wgrad-submissions-'));
  const browsers: BrowserName[] = ['Chromium', 'Firefox without WebGPU', 'WebKitGTK'];
  const tabs = new Map<BrowserName, Tab>();
  for (const name of browsers) {
    const tab = await visit(name as 'Chromium');
    await tab.open();
    tabs.set(name, tab);
  }
  const table: string[] = [];
  const results: Result[] = [];
  const edited: { result: Result; shown: RegExp }[] = [];
  const kinds = Object.keys(EDITS);
  for (const [at, lesson] of LESSONS.entries())
    for (const [i, seed] of SEEDS.entries()) {
      const pair = at * SEEDS.length + i;
      const browser = browsers[pair % browsers.length];
      const threads = pair % 2 === 0 ? '1' : '2';
      const tab = tabs.get(browser)!;
      const [own, { losses, test: tested }] = await Promise.all([
        submissionOf(tab, `${pair + 1} ${browser}`, lessonOf(lesson, seed)),
        inNode(lesson, seed, threads, folder),
      ]);
      const [run] = own.runs;
      expect(losses).toHaveLength(run.steps);
      // As that of the browser, but what was measured is the command line's own.
      const measured = { losses: await packLosses(losses), test: { ...run.test, ...tested } };
      const node = { ...own, name: `${pair + 1} Node ${threads}`, runs: [{ ...run, ...measured }] } as Result;
      console.log(
        `${lesson.title}, seed ${seed}: ${browser} and Node, ${threads} threads, ${run.steps} steps`,
      );
      results.push(own, node);
      expect
        .soft(node.runs[0].losses.checksum, `${lesson.title}, ${browser} and Node`)
        .toBe(own.runs[0].losses.checksum);
      for (const [j, from] of [own, node].entries()) {
        const kind = kinds[(2 * pair + j) % kinds.length];
        const made = await EDITS[kind](from.runs[0]);
        edited.push({
          result: { ...from, name: `${from.name} with another ${kind}`, runs: [made.run] },
          shown: made.shown,
        });
      }
    }

  const gpu = await visit('Chromium with WebGPU');
  await gpu.open();
  const onGpu = await submissionOf(gpu, 'GPU', lessonOf(LESSONS[0], SEEDS[0]), 'gpu');

  const teacher = (await visit('Chromium')).page;
  await teacher.goto('./#/lessons/submissions');
  const files = [...results, ...edited.map(({ result }) => result), onGpu];
  await teacher
    .getByLabel('Files that were handed in')
    .setInputFiles(
      files.map((content, i) => ({
        name: `${i}.json`,
        mimeType: 'application/json',
        buffer: Buffer.from(JSON.stringify(content)),
      })),
    );
  await expect(teacher.getByText('41 results here.')).toBeVisible();
  await teacher.getByRole('button', { name: 'Compute again' }).click();
  await expect(teacher.getByText(/^41 runs computed again in /)).toBeVisible();
  const shownOf = async ({ name }: Result) => {
    const row = teacher.getByRole('row', { name: new RegExp(`^${name}, task 1`) });
    const shown = (await row.getByRole('cell').first().innerText()).replaceAll(/\s+/g, ' ');
    table.push(`${name} | ${shown}`);
    return shown;
  };
  for (const result of results)
    expect
      .soft(await shownOf(result), result.name)
      .toMatch(/^Confirmed exactly the same numbers, \d+ losses compared$/);
  for (const { result, shown } of edited) {
    const found = await shownOf(result);
    expect.soft(found, result.name).toMatch(/^Differs /);
    expect.soft(found, result.name).toMatch(shown);
  }
  expect.soft(await shownOf(onGpu)).toMatch(/^Not checked computed on another GPU/);
  console.log(table.join('\n'));
  rmSync(folder, { recursive: true });
});
