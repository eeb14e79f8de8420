import { expect, test } from 'vitest';
import { completed } from '../../../run/settings/rules.ts';
import type { Points } from '../../../run/metrics/points.ts';
import type { RunRecord } from '../../journal/record.ts';
import { parseRoute } from '../../route.ts';
import { addressOf, isLocal, parametersOfRun } from '../address.ts';
import { readLink } from '../link.ts';
import { drawCard, HEIGHT, WIDTH } from './draw.ts';
import { niceTicks } from './ticks.ts';
import { wordsOf } from './words.ts';

const record = {
  name: 'quick-lynx-2',
  model: 'LeNet-5',
  dataset: 'Synthetic digits',
  adapter: 'CPU',
  step: 630,
  epoch: 9,
  trainedMs: 30_000,
  classes: ['0', '1'],
  confusion: [480, 20, 10, 490],
  evaluations: [
    { step: 350, epoch: 5, testLoss: 0.1, testAccuracy: 0.9925 },
    { step: 630, epoch: 9, testLoss: 0.1, testAccuracy: 0.97 },
  ],
  config: { ...completed({ lr: 0.02, seed: 7 }), model: 'lenet5', dataset: 'digits' },
} as unknown as RunRecord;
const HERE = 'https://example.org/wgrad/#/train?v=2&lr=0.02&seed=7';

test('the accuracy of a card says which test it is of, on how many images, and what the best one was', () => {
  const { title, accuracy, settings, address } = wordsOf(record, HERE);
  expect(title).toBe('LeNet-5 on Synthetic digits');
  expect(accuracy).toEqual({
    value: '97.00 %',
    label: 'of 1,000 test images, last test (epoch 9); best 99.25 %',
  });
  expect(settings).toContain('learning rate 0.02');
  expect(settings).toContain('seed 7');
  expect(address).toBe(HERE);
  const untested = { ...record, evaluations: [], confusion: undefined } as unknown as RunRecord;
  expect(wordsOf(untested, HERE).accuracy).toBeUndefined();
});

test('its link restores the settings; an address that only this machine knows is left out', async () => {
  const address = addressOf(
    await parametersOfRun(record.config),
    'https://example.org/wgrad/?engine=cpu#/runs/1',
  );
  expect(address).toBe(HERE);
  const names = { models: [{ name: 'lenet5', title: '' }], datasets: [{ name: 'digits', title: '' }] };
  const { settings, mistakes } = readLink(parseRoute(new URL(address).hash).parameters, names);
  expect(mistakes).toEqual([]);
  expect(settings).toMatchObject({ lr: '0.02', seed: '7' });
  for (const local of ['http://localhost:4801/', 'http://127.0.0.1/', 'http://[::1]:80/', 'file:///a.html']) {
    expect(isLocal(local), local).toBe(true);
    expect(wordsOf(record, local).address).toBeUndefined();
  }
  expect(isLocal('https://localhost.example.org/')).toBe(false);
});

test('axes have few round numbers', () => {
  expect(niceTicks(2.4, 4)).toEqual([0, 1, 2]);
  expect(niceTicks(0.65, 4)).toEqual([0, 0.2, 0.4, 0.6]);
  expect(niceTicks(630, 6)).toEqual([0, 200, 400, 600]);
  expect(niceTicks(NaN, 4)).toEqual([0]);
});

/** What is written on a card, and where. */
function writtenOn(contents: Parameters<typeof drawCard>[1]) {
  const written: { words: string; x: number; y: number }[] = [];
  const pixels = { data: new Uint8ClampedArray(4 * 60 * 60) };
  const context = new Proxy(
    {},
    {
      get:
        (_, name) =>
        (...given: unknown[]) => {
          if (name === 'fillText') {
            const [words, x, y] = given as [string, number, number];
            written.push({ words, x, y });
          }
          return pixels;
        },
      set: () => true,
    },
  );
  drawCard(context as CanvasRenderingContext2D, contents);
  return written;
}

test('a card has a curve with axes, a matrix with its classes, filters, settings and the link, all within its edges', () => {
  const step = Float64Array.from({ length: 63 }, (_, i) => 10 * (i + 1));
  const smoothLoss = Float32Array.from(step, (at) => 2.3 * Math.exp(-at / 100));
  const contents = {
    words: wordsOf(record, HERE),
    points: { step, smoothLoss } as unknown as Points,
    confusion: record.confusion,
    classes: record.classes,
    filters: { step: 630, layer: 'conv1', shape: [6, 1, 5, 5], weights: new Float32Array(150) },
    digit: undefined,
  };
  const written = writtenOn(contents);
  const words = written.map((one) => one.words);
  for (const wanted of ['97.00 %', '0', '1', '2', '200', '600', 'step', 'training loss'])
    expect(words).toContain(wanted);
  expect(words).toContain('example.org/wgrad/#/train?v=2&lr=0.02&seed=7');
  expect(words.join()).not.toMatch(/undefined|NaN/);
  for (const { x, y } of written) {
    expect(x).toBeGreaterThan(0);
    expect(x).toBeLessThan(WIDTH);
    expect(y).toBeGreaterThan(10);
    expect(y).toBeLessThan(HEIGHT);
  }
  // A run without tests, or without a convolution, leaves no places empty.
  const bare = { ...contents, words: wordsOf({ ...record, evaluations: [] }, HERE), confusion: undefined };
  expect(writtenOn({ ...bare, filters: undefined }).map((one) => one.words)).not.toContain('97.00 %');
});
