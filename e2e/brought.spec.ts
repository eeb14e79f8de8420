/** What people bring: pictures, data sets and networks as they are found, chosen on the page. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Page } from '@playwright/test';
import { writeSafetensors } from '../src/data/formats/safetensors.ts';
import { zipOf } from '../src/data/testing.ts';
import { bmp, encoded, gif, levelsAt, png, turnedJpeg } from './brought-pictures.ts';
import { expect, test } from './fixtures.ts';
import { RunPage } from './run.ts';

function written(path: string, bytes: string | Uint8Array): string {
  const file = test.info().outputPath(path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
  return file;
}

interface Line {
  file: string;
  class: number;
  logits: number[];
}
const linesOf = (text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => line.includes('"logits"'))
    .map((line) => JSON.parse(line) as Line);

/** What Predict answers for the images that are chosen there, as it is downloaded. */
async function predicted(page: Page): Promise<Line[]> {
  await page.getByRole('button', { name: 'Predict', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Predictions' })).toBeVisible();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'JSON lines' }).click();
  const file = test.info().outputPath('predictions.jsonl');
  await (await saving).saveAs(file);
  return linesOf(readFileSync(file, 'utf8'));
}

/** The same on the command line, and what it says. */
function printed(weights: string, images: string): { status: number | null; lines: Line[]; err: string } {
  const words = ['predict', '--weights', weights, '--images', images, '--engine', 'cpu'];
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/wgrad.mjs', ...words], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  return { status, lines: linesOf(stdout), err: stderr };
}

/** Whose outputs are the levels of the pixels that it gets: of each channel, row by row. */
function pixelNetwork(side: number): Uint8Array {
  const values = 3 * side * side;
  const model = {
    name: 'pixels',
    input: [3, side, side],
    classes: values,
    layers: [
      { name: 'flatten', op: 'flatten' },
      { name: 'fc', op: 'linear', attributes: { outFeatures: values, bias: false } },
    ],
  };
  const weight = new Float32Array(values * values);
  for (let i = 0; i < values; i++) weight[i * (values + 1)] = 255;
  const metadata = { model: JSON.stringify(model), mean: '0,0,0', std: '1,1,1' };
  return writeSafetensors(
    new Map([['fc.weight', { shape: [values, values], data: weight }]]),
    new Map(Object.entries(metadata)),
  );
}

const SIDE = 12;

test('a picture has the same pixels on the page as on the command line, in whatever format', async ({
  page,
}) => {
  await page.goto('./#/inspect/predict');
  const jpeg = await encoded(page, 'image/jpeg', 0.9);
  const quarter = png(6, SIDE, SIDE);
  const files = {
    'plain.png': png(),
    'turned.png': quarter,
    'tail.png': Buffer.concat([png(), Buffer.from('bytes after the end')]),
    'photo.jfif': jpeg,
    'turned.jpg': turnedJpeg(jpeg, 6),
    'a JPEG.png': jpeg,
    'lossless.webp': await encoded(page, 'image/webp', 1),
    'lossy.webp': await encoded(page, 'image/webp', 0.9),
    'drawing.bmp': bmp(),
    'red.gif': gif(),
    'words.png': 'no picture',
  };
  const images = Object.entries(files).map(([name, bytes]) => written(`pictures/${name}`, bytes));
  const weights = written('pixels.safetensors', pixelNetwork(SIDE));
  await page.getByLabel('Weights file').setInputFiles(weights);
  await page.getByLabel('Image files').setInputFiles(images);
  const onPage = new Map((await predicted(page)).map(({ file, logits }) => [basename(file), logits]));
  await expect(page.getByText('1 image could not be read')).toBeVisible();
  await expect(page.getByText(/^words\.png is /)).toBeVisible();

  const { status, lines, err } = printed(weights, test.info().outputPath('pictures'));
  expect(status, err).toBe(2);
  const onCommandLine = new Map(lines.map(({ file, logits }) => [basename(file), logits]));
  // Only browsers read these two.
  const others = ['drawing.bmp', 'red.gif'];
  for (const name of [...others, 'words.png']) expect(err).toContain(`Skipped: ${name}`);
  expect([...onCommandLine.keys()].toSorted()).toEqual(
    [...onPage.keys()].filter((name) => !others.includes(name)).toSorted(),
  );
  for (const [name, levels] of onCommandLine) {
    const away = levels.map((level, i) => Math.abs(level - onPage.get(name)![i]));
    const isLossy = /jpe?g|jfif|lossy/i.test(name);
    expect(Math.max(...away), name).toBeLessThanOrEqual(isLossy ? 4 : 1e-3);
    expect(away.reduce((a, b) => a + b) / away.length, name).toBeLessThanOrEqual(isLossy ? 2 : 1e-3);
  }
  // And they are right: the last row of what was stored is the first column.
  expect(onPage.get('turned.png')?.map(Math.round)).toEqual(
    [0, 1, 2].flatMap((channel) =>
      Array.from({ length: SIDE * SIDE }, (_, i) => {
        const [x, y] = [i % SIDE, Math.floor(i / SIDE)];
        return levelsAt(y, SIDE - 1 - x)[channel];
      }),
    ),
  );
  for (const same of ['tail.png', 'lossless.webp', 'drawing.bmp'])
    expect(onPage.get(same), same).toEqual(onPage.get('plain.png'));
  expect(onPage.get('a JPEG.png')).toEqual(onPage.get('photo.jfif'));
  expect(onPage.get('turned.jpg')).not.toEqual(onPage.get('photo.jfif'));
  expect(onPage.get('red.gif')?.slice(SIDE * SIDE - 1, SIDE * SIDE + 1)).toEqual([255, 0]);
});

test('archives are understood by what is in them; where labels may come from two places, the person chooses', async ({
  page,
}) => {
  const scene = png();
  const choose = (name: string, paths: string[]) => {
    const zip = written(name, zipOf(paths.map((path) => ({ path, data: scene }))));
    return page.getByLabel('Files of images').setInputFiles(zip);
  };
  const each = (...parts: string[]) => parts.flatMap((part) => [1, 2, 3].map((i) => `${part}/${i}.png`));
  const run = await RunPage.open(page);
  await run.choose('Your images');

  await choose('scenes.zip', [
    ...each('seg_train/seg_train/sea', 'seg_train/seg_train/forest'),
    ...each('seg_test/seg_test/sea', 'seg_test/seg_test/forest', 'seg_pred/seg_pred'),
  ]);
  await expect(page.getByText('2 classes: forest (6), sea (6)')).toBeVisible();
  await expect(page.getByLabel('seg_train: 6 images')).toHaveValue('train');
  await expect(page.getByLabel('seg_test: 6 images')).toHaveValue('test');
  await expect(page.getByLabel('seg_pred: 0 images, 3 without a label')).toHaveValue('unused');
  await page.getByRole('button', { name: 'Use these images' }).click();
  await expect(page.getByText('6 training and 6 test images')).toBeVisible();

  await choose('crossed.zip', each('cat/indoor', 'cat/outdoor', 'dog/indoor', 'dog/outdoor'));
  await expect(page.getByRole('button', { name: 'Use these images' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await page.getByLabel('Labels from').selectOption({ index: 1 });
  await page.getByRole('button', { name: 'Use these images' }).click();
  await expect(page.getByText('12 images in 2 classes')).toBeVisible();
});

/** Teachable Machine's export in small: a model in a model, ReLU6, and the names of the classes in another file. */
function teachable(): Map<string, string | Uint8Array> {
  const layer = (class_name: string, config: object) => ({ class_name, config });
  const sequential = (name: string, layers: object[]) => layer('Sequential', { name, layers });
  const features = [
    layer('Conv2D', {
      ...{ name: 'conv', filters: 4, kernel_size: [3, 3], strides: [2, 2], padding: 'same' },
      ...{ activation: 'linear', use_bias: true, batch_input_shape: [null, 16, 16, 3] },
    }),
    layer('ReLU', { name: 'relu6', max_value: 6 }),
    layer('GlobalAveragePooling2D', { name: 'mean' }),
  ];
  const head = layer('Dense', { name: 'answer', units: 3, activation: 'softmax', use_bias: false });
  const weights = [
    { name: 'conv/kernel', shape: [3, 3, 3, 4], dtype: 'float32' },
    { name: 'conv/bias', shape: [4], dtype: 'float32' },
    { name: 'answer/kernel', shape: [4, 3], dtype: 'float32' },
  ];
  const model = {
    format: 'layers-model',
    modelTopology: sequential('both', [sequential('features', features), sequential('head', [head])]),
    weightsManifest: [{ paths: ['weights.bin'], weights }],
  };
  const metadata = {
    tfjsVersion: '1.3.1',
    packageName: '@teachablemachine/image',
    labels: ['cat', 'dog', 'owl'],
  };
  return new Map<string, string | Uint8Array>([
    ['metadata.json', JSON.stringify(metadata)],
    ['model.json', JSON.stringify(model)],
    ['weights.bin', new Uint8Array(4 * (108 + 4 + 12))],
  ]);
}

test('a network of another program is opened as what it is, fits a phone, and predicts its classes by name', async ({
  page,
}) => {
  const machine = [...teachable()].map(([name, bytes]) => written(`machine/${name}`, bytes));
  await page.goto('./#/runs');
  const dialog = page.getByRole('dialog');
  const choose = (files: string[]) => page.getByLabel('Archives of runs, or networks').setInputFiles(files);
  const graph = { format: 'graph-model', modelTopology: { node: [] }, weightsManifest: [] };
  await choose([written('graph/model.json', JSON.stringify(graph))]);
  await expect(dialog).toContainText('Export a layers model');
  await page.keyboard.press('Escape');

  await page.setViewportSize({ width: 390, height: 844 });
  await choose(machine);
  await expect(dialog).toContainText('images of 3 × 16 × 16, 3 classes');
  await expect(dialog.getByRole('row', { name: /^mean adaptive_avg_pool/ })).toBeVisible();
  const cut = await dialog
    .locator('*')
    .evaluateAll(
      (all) => all.filter((one) => one.clientWidth > 1 && one.scrollWidth > one.clientWidth).length,
    );
  expect(cut).toBe(0);
  await page.setViewportSize({ width: 1280, height: 800 });

  await dialog.getByRole('button', { name: 'Predict' }).click();
  await page.getByLabel('Image files').setInputFiles(written('one.png', png()));
  await page.getByRole('button', { name: 'Predict', exact: true }).click();
  await expect(page.getByRole('row', { name: /^one\.png cat / })).toBeVisible();
});
