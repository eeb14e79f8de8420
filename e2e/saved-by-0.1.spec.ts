import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { readLink } from '../src/app/share/link.ts';
import { readSettings } from '../src/app/state/read-settings.ts';
import type { Settings } from '../src/app/state/settings.ts';
import { withStoredSettings } from '../src/run/settings/stored.ts';
import type { Points } from '../src/run/metrics/points.ts';
import type { RunConfig, StoredRun } from '../src/worker/api.ts';
import { unpackRun } from '../src/worker/runs/archive/unzip.ts';
import { expect, test } from './fixtures.ts';
import { keptCurve, keptRuns } from './kept.ts';
import { RunPage } from './run.ts';
import { readJsonSample, readSample, samplePath } from './saved-by-0.1/samples.ts';
import { loadStorage, type SavedStorage } from './saved-by-0.1/storage.ts';

// The losses that a GPU had can only be repeated to the bit by a GPU.
test.use({ engine: 'gpu' });

/** Texts of the page that these tests rely on. */
const WORDS = {
  takeLink: 'Apply settings',
  copyLink: 'Copy link',
  archives: 'Archives of runs',
  export: 'Export',
  ownImages: /own images|your images/i,
  resume: /^Resume from step/,
};

/** A record of version 0.1. */
type OldRecord = Omit<StoredRun, 'confusion' | 'weights'> & {
  points: Points;
  confusion?: Uint32Array;
  weights?: { step: number; bytes: number };
};

/** It as this version keeps it. */
function migrated(name: string, old: Partial<OldRecord>): Partial<StoredRun> {
  const { points: _points, confusion, weights, config, ...rest } = old;
  return {
    ...rest,
    config: { ...withStoredSettings<RunConfig>(name, config), ...(rest.id ? { record: rest.id } : {}) },
    ...(confusion ? { confusion: [...confusion] } : {}),
    ...(weights ? { weights: { step: weights.step } } : {}),
  };
}

/** A link with its built model as text, because compressors may differ. */
function linkWith(address: string): Record<string, unknown> {
  const parameters = Object.fromEntries(new URLSearchParams(address.slice(address.indexOf('?'))));
  const { net, ...settings } = parameters;
  if (net === undefined) return settings;
  return {
    ...settings,
    net: JSON.parse(inflateRawSync(Buffer.from(net, 'base64url')).toString()) as unknown,
  };
}

/** The run of a link to Train, of any version. */
function runOf(address: string): unknown {
  const { net, ...parameters } = linkWith(address) as Record<string, string>;
  const named = (name = '') => [{ name, title: name }];
  const names = { models: named(parameters['model']), datasets: named(parameters['data']) };
  const { settings, mistakes } = readLink(parameters, names);
  return { net, mistakes, run: readSettings(settings as Settings, undefined) };
}

/** The current values of the page's fields and lists. */
async function typed(page: Page): Promise<string[]> {
  await new RunPage(page).open('Advanced');
  return page
    .locator('input:not([type=radio], [type=checkbox]), select, input:checked')
    .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));
}

test('links of version 0.1 restore their settings', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { train, lab } = readJsonSample<{
    train: { link: string; settings: Record<string, unknown> }[];
    lab: { view: string; link: string }[];
  }>('links.json');
  await RunPage.open(page);
  for (const { link, settings } of train) {
    await page.goto(link);
    // A link is taken at once where no settings of one's own would be lost.
    await expect(async () => {
      const take = page.getByRole('button', { name: WORDS.takeLink });
      if (await take.isVisible()) await take.click();
      expect(new URL(page.url()).hash).not.toContain('?');
    }).toPass();
    const { augmentation, ...rest } = settings as { augmentation: Record<string, string> };
    const shown = ['model', 'optimizer', 'batchSize', 'lr', 'weightDecay', 'seed', 'epochs']
      .map((name) => rest[name as keyof typeof rest] as string)
      .concat(Object.values(augmentation).filter((value) => value.includes('.')));
    await expect.poll(() => typed(page), link).toEqual(expect.arrayContaining(shown));
    // The settings as the page reports them.
    await new RunPage(page).openMenu();
    await page.getByRole('button', { name: WORDS.copyLink }).click();
    await expect(async () => {
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      expect(runOf(copied), link).toEqual(runOf(link));
    }).toPass();
  }
  for (const { view, link } of lab) {
    // The bare URL of a part of the Lab becomes that of the current choice.
    let wait = 100;
    await expect(async () => {
      wait *= 2;
      await page.goto(link);
      await page.waitForTimeout(wait);
      await page.goto(`#/lab/${view}`);
      await page.waitForTimeout(wait);
      expect(linkWith(page.url())).toEqual(linkWith(link));
    }).toPass();
  }
});

/** Downloads a run's archive, and returns its files by path. */
async function exported(page: Page, id: string): Promise<Map<string, Uint8Array>> {
  await page.goto(`#/runs/${id}`);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: WORDS.export, exact: true }).click(),
  ]);
  const files = await unpackRun('exported.zip', new Uint8Array(readFileSync(await file.path())));
  return new Map(files.map(({ path, bytes }) => [path, bytes]));
}

test('archives of version 0.1 give the same runs, and are exported unchanged', async ({ page }) => {
  const saved = readJsonSample<Record<string, Partial<OldRecord>>>('archives.json');
  const names = Object.keys(saved);
  await page.goto('./#/runs');
  await page
    .locator('input[type=file][accept*=".zip"]')
    .setInputFiles(names.map((name) => samplePath(`archives/${name}.zip`)));
  await expect.poll(async () => (await keptRuns(page)).length).toBe(names.length);
  for (const [i, record] of (await keptRuns(page)).entries()) {
    const { id, kept, sketch } = record;
    const before = migrated(names[i], saved[names[i]]);
    expect(record).toEqual({ ...before, id, kept, sketch, number: i + 1 });
    await expect(page.getByText(record.name, { exact: true }).first()).toBeVisible();
    const [old, after] = [
      await unpackRun(names[i], readSample(`archives/${names[i]}.zip`)),
      await exported(page, record.id),
    ];
    for (const { path, bytes } of old) {
      const again = after.get(path);
      // A newer page may add fields to its JSON. Version 0.1 did not restore pinned algorithms either.
      if (path === 'config.json') {
        const { config, ...about } = jsonOf(bytes) as { config: Record<string, unknown> };
        const { pins: _pins, ...settings } = config;
        expect(jsonOf(again), path).toMatchObject({
          ...about,
          version: 2,
          config: withStoredSettings(path, settings),
        });
      } else if (path === 'model.json') {
        // A registered architecture has its current description.
        const { description: _words, ...model } = jsonOf(bytes);
        expect(jsonOf(again), path).toMatchObject(model);
      } else if (path.endsWith('.json')) expect(jsonOf(again), path).toMatchObject(jsonOf(bytes));
      else expect(again, path).toEqual(bytes);
    }
  }
});

const jsonOf = (bytes: Uint8Array = new Uint8Array()) =>
  JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;

test('data saved in the browser by version 0.1 is available, and its run resumes', async ({ page }) => {
  const saved = readJsonSample<SavedStorage>('storage.json');
  const resumed = readJsonSample<Pick<OldRecord, 'id' | 'step' | 'adapter' | 'points'>>('resumed.json');
  const storeOf = (database: string) =>
    new Map(saved.indexedDb.find((one) => one.database === database)?.entries);
  const before = [...storeOf('wgrad-runs').values()] as OldRecord[];
  await loadStorage(page, saved);

  // Runs, with curves and weights.
  await page.goto('./#/runs');
  for (const { name } of before) await expect(page.getByText(name, { exact: true }).first()).toBeVisible();
  await expect.poll(async () => (await keptRuns(page)).length).toBe(before.length);
  for (const run of await keptRuns(page)) {
    const { sketch, checkpoint } = run;
    const old = before.find(({ id }) => id === run.id) as OldRecord;
    const held = checkpoint ? { checkpoint } : {};
    expect(run).toEqual({ ...migrated(run.name, old), sketch, ...held });
  }
  await page.getByRole('checkbox', { name: 'Select all runs shown' }).check();
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(page.locator('main .u-over').first()).toBeVisible();
  for (const { id, points, note, starred, weights } of before) {
    const files = await exported(page, id);
    const lines = new TextDecoder().decode(files.get('metrics.csv')).trimEnd().split('\n').slice(1);
    expect(lines.map((line) => Number(line.split(',')[0]))).toEqual([...points.step]);
    expect(lines.map((line) => Number(line.split(',')[1]))).toEqual([...points.loss]);
    expect(jsonOf(files.get('config.json'))).toMatchObject({ note, weightsStep: weights?.step });
    expect(files.get('weights.safetensors')).toEqual(storeOf('wgrad-weights').get(id));
    if (starred) expect(note).not.toBe('');
  }

  // Preferences, the built model, and own images.
  await page.goto('./#/train');
  const run = new RunPage(page);
  await run.ready();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.locator('option[value="own model"]').first()).toBeAttached();
  const own = await page.evaluate(() => localStorage.getItem('wgrad.model'));
  expect(own).toBe(saved.local['wgrad.model']);
  expect(await page.evaluate(() => localStorage.getItem('wgrad.hotkeys'))).toBe('off');
  await run.open('Data');
  await page.getByRole('radio', { name: WORDS.ownImages }).check();
  await expect(page.getByText('From scenes: grass (10), sky (10).')).toBeVisible();

  // The interrupted run resumes from its checkpoint.
  const resume = page.getByRole('button', { name: WORDS.resume });
  await expect(resume).toContainText(String(resumed.step));
  await resume.click();
  await run.reaches(resumed.step + 4);
  await run.press('Pause');
  const resumes = async () => (await keptRuns(page)).find(({ id }) => id === resumed.id) as StoredRun;
  await expect.poll(async () => (await resumes()).step).toBeGreaterThanOrEqual(resumed.step + 4);
  await expect.poll(async () => (await resumes()).state).toBe('paused');
  const { step, adapter } = await resumes();
  const points = await keptCurve(page, resumed.id);
  expect([...points.step]).toEqual(Array.from({ length: step }, (_, i) => i + 1));
  const count = adapter === resumed.adapter ? Math.min(step, resumed.points.step.length) : resumed.step;
  expect([...points.loss.subarray(0, count)]).toEqual([...resumed.points.loss.subarray(0, count)]);
  expect(count).toBeGreaterThanOrEqual(resumed.step);
});

test.describe('a browser with 30 runs', () => {
  // Its runs were trained by the CPU engine.
  test.use({ engine: 'cpu' });

  test('opens them in folders of their own, resumes the paused one to the same losses, and exports', async ({
    page,
  }) => {
    const resumed = readJsonSample<Pick<OldRecord, 'id' | 'step' | 'adapter' | 'points'>>(
      '../saved-30-runs/resumed.json',
    );
    await loadStorage(page, readJsonSample<SavedStorage>('../saved-30-runs/profile.json.gz'));
    await page.goto('./#/runs');
    await expect(page.getByRole('region', { name: 'Table of runs' }).getByRole('row')).toHaveCount(30);
    await page.getByText('One run is damaged').click();
    await expect(page.getByText(/damaged settings: expected lr to be/)).toBeVisible();
    const run = new RunPage(page);
    await page.getByRole('button', { name: WORDS.resume }).filter({ visible: true }).click();
    const now = async () => (await keptRuns(page)).find(({ id }) => id === resumed.id) as StoredRun;
    await expect.poll(async () => (await now()).step).toBeGreaterThan(resumed.step + 10);
    await page.goto('./#/train');
    // A fast engine may have come to the run's end by now.
    await expect(run.control('Pause').or(run.control('Restart')).first()).toBeVisible();
    if (await run.control('Pause').isVisible())
      await run
        .control('Pause')
        .click({ timeout: 20_000 })
        .catch(() => undefined);
    await expect.poll(async () => (await now()).state).toBe('paused');
    const { step, loss } = await keptCurve(page, resumed.id);
    const count = Math.min(step.length, resumed.points.step.length);
    expect(count).toBeGreaterThan(resumed.step + 10);
    expect([...loss.subarray(0, count)]).toEqual([...resumed.points.loss.subarray(0, count)]);

    // Those with a checkpoint, those with weights, and those with neither.
    const runs = await keptRuns(page);
    const kinds = new Map(runs.map((one) => [`${!!one.checkpoint} ${!!one.weights}`, one]));
    expect(kinds.size).toBeGreaterThan(1);
    for (const { id, checkpoint, weights } of kinds.values()) {
      const files = await exported(page, id);
      const steps = (await keptCurve(page, id)).step.length;
      const lines = new TextDecoder().decode(files.get('metrics.csv')).trimEnd().split('\n');
      expect(lines.length - 1).toBeGreaterThanOrEqual(steps);
      expect(files.has('weights.safetensors')).toBe(Boolean(checkpoint ?? weights));
    }
  });
});
