/** `predict` and `export`: what `train` printed is what its weights predict, also folded, from files and in parts. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { PNG } from 'pngjs';
import { beforeAll, expect, test } from 'vitest';
import { readSafetensors, writeSafetensors } from '../data/formats/safetensors.ts';
import { linesOf, testFolder } from './testing/program.ts';

type Line = Record<string, unknown> & { probabilities: number[]; logits: number[] };

const TRAIN = 320;
const TEST = 130;
const SIZE = 28 * 28;

let images: Uint8Array;
let labels: Uint8Array;
const { at, run } = testFolder();

async function wgrad(line: string) {
  const { status, err, out } = await run(line);
  const lines = linesOf<Line>(out);
  return { status, err, lines, last: lines[lines.length - 1] };
}

/** The first images of a file of the digits. */
function part(name: string, count: number, header: number, size: number): Uint8Array {
  const all = gunzipSync(readFileSync(join('public/datasets/digits', `${name}.gz`)));
  const some = Uint8Array.from(all.subarray(0, header + count * size));
  new DataView(some.buffer).setUint32(4, count);
  writeFileSync(at(name), some);
  return some.subarray(header);
}

const MODEL = {
  name: 'small',
  input: [1, 28, 28],
  classes: 10,
  layers: [
    { name: 'conv', op: 'conv', attributes: { outChannels: 4, kernelSize: 3, stride: 2, bias: false } },
    { name: 'norm', op: 'batch_norm' },
    { name: 'relu', op: 'relu' },
    { name: 'flatten', op: 'flatten' },
    { name: 'fc', op: 'linear', attributes: { outFeatures: 10 } },
  ],
};

let accuracy: unknown;
let loss: number;

beforeAll(async () => {
  part('train-images-idx3-ubyte', TRAIN, 16, SIZE);
  part('train-labels-idx1-ubyte', TRAIN, 8, 1);
  images = part('t10k-images-idx3-ubyte', TEST, 16, SIZE);
  labels = part('t10k-labels-idx1-ubyte', TEST, 8, 1);
  writeFileSync(at('small.json'), JSON.stringify(MODEL));
  const { status, last } = await wgrad(
    `train --model @small.json ${onDigits} --epochs 4 --batch-size 32 --optimizer adam --lr 0.01
     --mean 0.1 --std 0.2 --save @w.safetensors --save-folded @folded.safetensors`,
  );
  expect(status).toBe(0);
  accuracy = last['test_accuracy'];
  loss = last['test_loss'] as number;
  expect(accuracy).toBeGreaterThan(0.3);
});

const onDigits = '--dataset digits --data-dir @';

test('the accuracy that train printed, for batches of any size', async () => {
  const { status, err, lines, last } = await wgrad(`predict --weights @w.safetensors ${onDigits}`);
  expect({ status, err }).toEqual({ status: 0, err: '' });
  expect(lines).toHaveLength(TEST + 1);
  expect(last).toMatchObject({
    final: true,
    model: 'small',
    count: TEST,
    accuracy,
    batch_size: TEST,
    batches: 1,
  });
  expect(last['loss']).toBeCloseTo(loss, 5);
  lines.slice(0, -1).forEach((line, index) => {
    expect(line).toMatchObject({ index, label: labels[index], answer: String(line['class']) });
    expect(line.logits.indexOf(Math.max(...line.logits))).toBe(line['class']);
    expect(line.probabilities.reduce((a, b) => a + b)).toBeCloseTo(1, 5);
  });
  // 130 = 2 x 50 + 30
  const parts = await wgrad(
    `predict --weights @w.safetensors ${onDigits} --batch-size 50 --summary --profile`,
  );
  expect(parts.lines).toHaveLength(1);
  expect(parts.last).toMatchObject({ count: TEST, accuracy, batch_size: 50, batches: 3 });
  expect(parts.last['layers']).toMatchObject([
    { layer: 'conv', op: 'conv' },
    { layer: 'norm', op: 'batch_norm' },
    { layer: 'fc', op: 'linear' },
  ]);
  const kernels = parts.last['kernels'] as { ms: number; cumulative: number }[];
  expect(kernels.map(({ ms }) => ms)).toEqual(kernels.map(({ ms }) => ms).toSorted((a, b) => b - a));
  expect(kernels[kernels.length - 1].cumulative).toBeCloseTo(1, 9);
});

test('one final line per count, one line per image', async () => {
  const { status, lines } = await wgrad(
    `predict --weights @w.safetensors ${onDigits} --split train --count 7,20,3 --batch-size 8`,
  );
  expect(status).toBe(0);
  expect(lines.map((line) => line['index'] ?? `final ${String(line['count'])}`)).toEqual([
    ...[0, 1, 2, 3, 4, 5, 6, 'final 7'],
    ...Array.from({ length: 13 }, (_, i) => 7 + i),
    ...['final 20', 'final 3'],
  ]);
  const finals = lines.filter((line) => line['final']);
  expect(finals.map((line) => [line['batch_size'], line['batches']])).toEqual([
    [7, 1],
    [8, 3],
    [3, 1],
  ]);
});

test('folded weights come with their model, and predict the same', async () => {
  const layers = (JSON.parse(readFileSync(at('folded.json'), 'utf8')) as typeof MODEL).layers;
  expect(layers.map(({ op }) => op)).toEqual(['conv', 'relu', 'flatten', 'linear']);
  const plain = await wgrad(`predict --weights @w.safetensors ${onDigits}`);
  const closeToPlain = ({ lines }: typeof plain) =>
    lines.slice(0, -1).forEach(({ logits }, i) => {
      logits.forEach((value, k) => expect(value).toBeCloseTo(plain.lines[i].logits[k], 4));
    });
  const folded = await wgrad(`predict --weights @folded.safetensors ${onDigits}`);
  expect(folded.last).toMatchObject({ accuracy, model: 'small_folded' });
  closeToPlain(folded);
  // The same by export, with the model as a file.
  const { status, last } = await wgrad('export --weights @w.safetensors --fold --out @again.safetensors');
  expect(status).toBe(0);
  expect(last).toEqual({ weights: at('again.safetensors'), model: at('again.json'), layers_folded: 1 });
  expect(readFileSync(at('again.safetensors'))).toEqual(readFileSync(at('folded.safetensors')));
  const { tensors } = readSafetensors('w', readFileSync(at('again.safetensors')));
  writeFileSync(at('bare.safetensors'), writeSafetensors(tensors));
  const bare = 'predict --weights @bare.safetensors --model @again.json';
  closeToPlain(await wgrad(`${bare} ${onDigits} --mean 0.1 --std 0.2`));
  expect(await wgrad('export --weights @folded.safetensors --fold --out @x')).toMatchObject({
    status: 2,
    err: expect.stringContaining('there is nothing to fold') as string,
  });
});

test('images from files: labels by folder, and the same logits as from the data set', async () => {
  const png = (i: number) => {
    const image = new PNG({ width: 28, height: 28 });
    for (let p = 0; p < SIZE; p++) image.data.set([0, 0, 0, 255].fill(images[i * SIZE + p], 0, 3), 4 * p);
    return PNG.sync.write(image);
  };
  for (let i = 0; i < 12; i++) {
    mkdirSync(at(`set/${labels[i]}`), { recursive: true });
    writeFileSync(at(`set/${labels[i]}/${i}.png`), png(i));
  }
  const weights = '--weights @w.safetensors';
  const whole = await wgrad(`predict ${weights} ${onDigits}`);
  const { status, lines, last } = await wgrad(`predict ${weights} --images @set`);
  expect(status).toBe(0);
  expect(lines).toHaveLength(13);
  let right = 0;
  for (const line of lines.slice(0, -1)) {
    const [, i] = /(\d+)\.png$/.exec(line['file'] as string) ?? [];
    const known = whole.lines[Number(i)];
    expect(line).toMatchObject({ label: known['label'], class: known['class'], logits: known.logits });
    if (line['label'] === line['class']) right++;
  }
  expect(last['accuracy']).toBe(right / 12);
  const one = await wgrad(`predict ${weights} --images @set/${labels[5]}/5.png`);
  expect(one.lines[0]).toMatchObject({ index: 0, file: '5.png', logits: whole.lines[5].logits });
  expect(one.lines[0]).not.toHaveProperty('label');
  expect(one.last).toMatchObject({ count: 1, accuracy: null });

  writeFileSync(at(`set/${labels[0]}/broken.png`), png(0).subarray(0, 60));
  const broken = await wgrad(`predict ${weights} --images @set --summary`);
  expect(broken.last).toMatchObject({ count: 12 });
  expect(broken.status).toBe(2);
  expect(broken.err).toMatch(/Skipped: \d\/broken.png is damaged.*\n.*1 of 13 images could not be read/);
});

test.each([
  ['', /expected one of --images, --dataset/],
  ['--images x --dataset digits', /found --images and --dataset/],
  ['--dataset digits --count 100,5000', /--count: expected at most 2000.*found 5000/],
  ['--dataset shapes', /is for images of 1 x 28 x 28 and 10 classes; .* has 3 x 32 x 32/],
  [
    '--dataset digits --model lenet5',
    /does not fit LeNet-5 for 1 x 28 x 28 images and 10 classes: .*Give the model that/,
  ],
  ['--dataset digits --mean 0.1', /both --mean and --std/],
  ['--dataset digits --mean 0,0 --std 1,1', /--mean: expected 1 numbers/],
  ['--images nowhere', /there is no nowhere. Expected an image/],
])('a request that is wrong: %s', async (words, message) => {
  const { status, lines, err } = await wgrad(`predict --weights @w.safetensors ${words}`);
  expect({ status, lines }).toEqual({ status: 2, lines: [] });
  expect(err).toMatch(message);
});

test('weights that say nothing need a model, and images of their own a normalisation', async () => {
  const { tensors } = readSafetensors('w', readFileSync(at('w.safetensors')));
  writeFileSync(at('bare.safetensors'), writeSafetensors(tensors));
  const bare = 'predict --weights @bare.safetensors';
  expect((await wgrad(`${bare} ${onDigits}`)).err).toMatch(
    /does not contain its model. Give it with --model/,
  );
  const modelled = `${bare} --model @small.json`;
  const set = await wgrad(`${modelled} ${onDigits} --mean 0.1 --std 0.2 --summary`);
  expect(set.last).toMatchObject({ accuracy });
  writeFileSync(at('one.png'), PNG.sync.write(new PNG({ width: 28, height: 28 })));
  expect((await wgrad(`${modelled} --images @one.png`)).err).toMatch(
    /does not say how images were normalised in training. Give --mean and --std/,
  );
  expect(await wgrad('predict --weights @none.safetensors --dataset digits')).toMatchObject({
    status: 2,
    err: expect.stringContaining('none.safetensors cannot be read') as string,
  });
});
