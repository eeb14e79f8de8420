/** One picture has one answer: on the pad, in Predict, and by `wgrad predict`. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { targetOf } from '../../app/pad/target.ts';
import { isExhaustive } from '../../base/testing/tier.ts';
import { Random } from '../../base/random.ts';
import { linesOf, wgrad } from '../../cli/testing/program.ts';
import mnist from '../../data/datasets/mnist/index.ts';
import type { DatasetInfo } from '../../data/dataset.ts';
import { assembleDataset } from '../../data/load.ts';
import { zipOf } from '../../data/testing.ts';
import { TuningResults } from '../../engine/ops/conv/choice/tuning-results.ts';
import type { Model } from '../../models/model.ts';
import type { TrainingRun } from '../../train/run.ts';
import { recorded, testSupply, tiny } from '../../train/testing/tiny-run.ts';
import type { PredictWeights } from '../api.ts';
import { decodePicture } from '../data/decode.ts';
import { makeOwn, preparedFile } from '../data/own.ts';
import { writeWeights } from '../runs/weights.ts';
import { predictTrained, TRAINED } from '../trained/trained.ts';
import { predictSet } from './predict.ts';

const SIDE = 28;
const PAGE = 'https://example.org/';

const { supply, devices } = testSupply();
let root: string;
beforeAll(() => (root = mkdtempSync(join(tmpdir(), 'wgrad-answers-'))));
afterAll(() => {
  rmSync(root, { recursive: true });
  for (const device of devices) device.destroy();
});

/** A grey picture, as a file. */
function png(levels: ArrayLike<number>): Uint8Array<ArrayBuffer> {
  const image = new PNG({ width: SIDE, height: SIDE });
  for (let i = 0; i < SIDE * SIDE; i++) image.data.set([levels[i], levels[i], levels[i], 255], 4 * i);
  return Uint8Array.from(PNG.sync.write(image));
}

/** The first of a set's test digits, white on black. */
function digitsOf(folder: string, count: number): { label: number; levels: Uint8Array }[] {
  const read = (name: string) => gunzipSync(readFileSync(join(folder, `t10k-${name}.gz`)));
  const [images, labels] = [read('images-idx3-ubyte').subarray(16), read('labels-idx1-ubyte').subarray(8)];
  return Array.from({ length: count }, (_, i) => ({
    label: labels[i],
    levels: images.subarray(i * SIDE * SIDE, (i + 1) * SIDE * SIDE),
  }));
}

const classOf = (outputs: Float32Array): number => outputs.indexOf(Math.max(...outputs));

/** The classes that Predict of the page gives, in the order of the paths. */
async function predicted(
  weights: PredictWeights,
  files: readonly Picture[],
  { infos, run }: { infos: DatasetInfo[]; run?: TrainingRun },
): Promise<number[]> {
  const device = await supply.get();
  const results = new TuningResults({ read: async () => undefined, update: async () => undefined } as never, {
    runtime: 'test',
    name: 'test',
    onFailure: () => undefined,
  });
  const { logits, classes } = await predictSet(
    weights,
    { from: 'set', files: files.map(({ path, bytes }) => ({ path, file: new Blob([bytes]) as File })) },
    {
      device,
      known: results.known(device),
      datasets: { infos: async () => infos, get: () => Promise.reject(new Error('not asked')) },
      run: () => run as TrainingRun,
      signal: new AbortController().signal,
      onProgress: () => undefined,
    },
  );
  return files.map((_, i) => classOf(logits.subarray(i * classes.length, (i + 1) * classes.length)));
}

/** The classes that the command line gives. @param path of a folder or archive */
async function printed(weights: string, path: string): Promise<number[]> {
  const { status, out, err } = await wgrad('predict', '--weights', weights, '--images', path);
  expect({ status, err: err.replace(/Turned: .*\n/, '') }).toEqual({ status: 0, err: '' });
  return linesOf<{ class?: number }>(out).flatMap((line) => line.class ?? []);
}

interface Picture {
  path: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** The digit in black on paper: turned a little, in uneven light, with noise. */
function onPaper(levels: Uint8Array, random: Random): Uint8Array {
  const angle = ((2 * random.uniform() - 1) * 5 * Math.PI) / 180;
  const direction = 2 * Math.PI * random.uniform();
  const [sine, cosine, middle] = [Math.sin(angle), Math.cos(angle), (SIDE - 1) / 2];
  const at = (x: number, y: number) =>
    x < 0 || y < 0 || x >= SIDE || y >= SIDE ? 0 : levels[y * SIDE + x] / 255;
  return Uint8Array.from({ length: SIDE * SIDE }, (_, i) => {
    const [dx, dy] = [(i % SIDE) - middle, Math.floor(i / SIDE) - middle];
    const [x, y] = [middle + cosine * dx + sine * dy, middle - sine * dx + cosine * dy];
    const [left, top] = [Math.floor(x), Math.floor(y)];
    const [right, down] = [x - left, y - top];
    const ink =
      (1 - down) * ((1 - right) * at(left, top) + right * at(left + 1, top)) +
      down * ((1 - right) * at(left, top + 1) + right * at(left + 1, top + 1));
    const light = 222.5 + (32.5 * (dx * Math.cos(direction) + dy * Math.sin(direction))) / (1.5 * middle);
    const level = Math.max(190, Math.min(255, light)) * (1 - ink) + 4 * random.normal();
    return Math.max(0, Math.min(255, Math.round(level)));
  });
}

describe('the network that comes with wgrad', () => {
  const weights = { name: 'lenet5', bytes: new Uint8Array(readFileSync(join('public', TRAINED))) };
  const get = async () => new Response(weights.bytes);
  const real = join(process.env['WGRAD_DATA_DIR'] ?? '-', 'mnist');
  const digits =
    isExhaustive && process.env['WGRAD_DATA_DIR'] !== undefined
      ? digitsOf(real, 10_000)
      : digitsOf('public/datasets/digits', 60);

  test.each<[string, (levels: Uint8Array, random: Random) => Uint8Array]>([
    ['black on white', (levels) => levels.map((level) => 255 - level)],
    ['on paper', onPaper],
  ])('reads digits %s as it reads them white on black', async (kind, drawn) => {
    const folder = join(root, kind);
    mkdirSync(folder);
    const files = digits.map(({ levels }, i): Picture => ({
      path: `${i}.png`,
      bytes: png(drawn(levels, new Random(i, kind))),
    }));
    for (const { path, bytes } of files) writeFileSync(join(folder, path), bytes);
    const onPad: number[] = [];
    const originals: number[] = [];
    for (const [i, { bytes }] of files.entries()) {
      const { image, isTurned } = await preparedFile(new Blob([bytes]), targetOf(mnist));
      expect(isTurned).toBe(true);
      onPad.push(classOf((await predictTrained(image, PAGE, get)).probabilities));
      originals.push(classOf((await predictTrained(digits[i].levels, PAGE, get)).probabilities));
    }
    expect(await printed('lenet5-mnist', folder)).toEqual(onPad);
    expect(await predicted(weights, files, { infos: [mnist] })).toEqual(onPad);
    const share = (wanted: readonly number[]) =>
      onPad.filter((one, i) => one === wanted[i]).length / files.length;
    const right = share(digits.map(({ label }) => label));
    if (isExhaustive) process.stdout.write(`${files.length} digits ${kind}: ${100 * right} % right\n`);
    expect(share(originals)).toBeGreaterThan(0.95);
    // It has not seen the synthetic digits.
    expect(right).toBeGreaterThan(digits.length > 60 ? 0.95 : 0.9);
  });
});

const small: Model = {
  name: 'small',
  title: 'Small',
  description: '',
  input: [1, SIDE, SIDE],
  classes: 10,
  layers: [
    { name: 'conv', op: 'conv', attributes: { outChannels: 4, kernelSize: [5, 5], stride: [2, 2] } },
    { name: 'relu', op: 'relu' },
    { name: 'flatten', op: 'flatten' },
    { name: 'fc', op: 'linear', attributes: { outFeatures: 10 } },
  ],
};

test('a network trained on drawings in black on white reads them on the pad as everywhere else', async () => {
  const files = digitsOf('public/datasets/digits', 200).map(({ label, levels }, i): Picture => ({
    path: `bw/${label}/${i}.png`,
    bytes: png(levels.map((level) => 255 - level)),
  }));
  const zip = join(root, 'bw.zip');
  writeFileSync(zip, zipOf(files.map(({ path, bytes }) => ({ path, data: bytes }))));
  const archive = { path: 'bw.zip', file: new Blob([readFileSync(zip)]) as File };
  const own = await makeOwn(
    { files: [archive], from: 'bw.zip', shape: small.input },
    { decode: decodePicture },
  );
  const { info } = own;
  expect(info.ground).toBe('light');
  const dataset = await assembleDataset(info, own.files);
  const { run } = recorded(tiny({ model: small, dataset, lastStep: 120 }), supply);
  run.train();
  await run.settled();

  const names = new Intl.Collator('en', { numeric: true });
  const asked = files.toSorted((a, b) => names.compare(a.path, b.path)).slice(0, 100);
  const target = targetOf({ ...info, classes: [...info.classes] });
  const onPad: number[] = [];
  for (const { bytes } of asked) {
    const { image, isTurned } = await preparedFile(new Blob([bytes]), target);
    expect(isTurned).toBe(false);
    onPad.push(classOf((await run.predict(image)).probabilities));
  }
  const right = asked.filter(({ path }, i) => path.split('/')[1] === String(onPad[i])).length;
  expect(right).toBeGreaterThan(80);
  const all = { infos: [info], run };
  expect(await predicted({ name: 'current run' }, asked, all)).toEqual(onPad);
  const saved = join(root, 'own.safetensors');
  writeFileSync(saved, writeWeights(await run.stateDict(), run.config));
  expect((await printed(saved, zip)).slice(0, 100)).toEqual(onPad);
  await run.close();
});
