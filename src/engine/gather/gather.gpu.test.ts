import { describe, expect, test } from 'vitest';
import { NO_AUGMENTATION, parseAugmentation } from '../../base/augmentation.ts';
import { Random } from '../../base/random.ts';
import type { Shape } from '../../base/shape.ts';
import { packStep, stepSlotBytes } from '../step.ts';
import { expectClose, expectExact } from '../testing/check.ts';
import { runPlan } from '../testing/gpu.ts';
import type { FixtureValues } from '../testing/fixtures.ts';
import { channelScales, gatherBatch } from './index.ts';
import { drawsOf, gatherReference, partnersOf, type SeededAugmentation } from './reference.ts';

/** Bytes as padded u32 words, as an upload writes them. */
function words(bytes: Uint8Array): FixtureValues {
  const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
  padded.set(bytes);
  return { shape: [padded.length / 4], data: new Uint32Array(padded.buffer) };
}

const IMAGES = 10;
const MEAN = [0.25, 0.5, 0.4914];
const STD = [0.5, 0.2023, 1];

/** Ten images without a byte of 0, because the border is 0. */
function someImages([C, H, W]: Shape) {
  const random = new Random(1, 'bytes');
  return {
    images: Uint8Array.from({ length: IMAGES * C * H * W }, () => 1 + random.below(255)),
    imageLabels: Uint8Array.from({ length: IMAGES }, () => 100 + random.below(156)),
    mean: MEAN.slice(0, C),
    std: STD.slice(0, C),
  };
}
type Images = ReturnType<typeof someImages>;

async function gathered(
  { images, imageLabels, mean, std }: Images,
  [C, H, W]: Shape,
  batch: number,
  indices: readonly number[],
  { augmentation, mix, ...seeds }: SeededAugmentation = { augmentation: NO_AUGMENTATION, seed: 0 },
  augmented = true,
  window?: number,
) {
  const slotBytes = stepSlotBytes(batch);
  const data = new Uint8Array(slotBytes).fill(0xee);
  packStep(new DataView(data.buffer), 0, {
    metricsSlot: 0,
    indices: Uint32Array.from(indices),
    ...seeds,
    ...augmentation,
    ...(mix === undefined ? {} : { mix }),
  });
  const all = words(images);
  const part = (from: number, to: number): FixtureValues => ({
    shape: [to - from],
    data: all.data.subarray(from, to),
  });
  const { x, labels, partners } = await runPlan({
    inputs: {
      images: window === undefined ? all : part(0, window),
      imagesBeyond: window === undefined ? part(0, 1) : part(window, all.shape[0]),
      imageLabels: words(imageLabels),
      channels: { shape: [C, 2], data: channelScales(mean, std) },
    },
    outputs: {
      x: [batch, C, H, W],
      labels: [batch],
      partners: augmented ? [batch] : { shape: [1], data: Uint32Array.of(7) },
    },
    step: { data, slotBytes },
    build: (plan, { partners: room, imagesBeyond, ...t }) =>
      gatherBatch(plan, {
        ...t,
        count: IMAGES,
        ...(augmented ? { partners: room } : {}),
        ...(window === undefined ? {} : { imagesBeyond }),
      }),
  });
  return { x, labels: new Uint32Array(labels.buffer), partners: new Uint32Array(partners.buffer) };
}

test.each([
  { shape: [1, 28, 28], batch: 4, indices: [9, 0, 9, 3] },
  { shape: [3, 5, 7], batch: 6, indices: [8, 1, 2, 9, 0] },
  { shape: [1, 1, 1], batch: 10, indices: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] },
  { shape: [2, 3, 1], batch: 1, indices: [7] },
  { shape: [1, 3, 3], batch: 3, indices: [] },
])('$shape, batch of $batch, samples $indices', async ({ shape, batch, indices }) => {
  const some = someImages(shape);
  const { x, labels } = await gathered(some, shape, batch, indices, undefined, false);
  const expected = new Float64Array(x.length);
  expected.set(gatherReference({ ...some, shape }, indices));
  expectClose('x', x, expected, 3e-7);
  // A step that could augment but does not gives the same bits, and each image is its own partner.
  const still = await gathered(some, shape, batch, indices);
  expectExact('x of a step that is not augmented', still.x, x);
  expectExact('labels', still.labels, labels);
  expectExact('partners', still.partners, labels);
  const pixels = x.length / batch;
  // Split into two parts in the middle of an image: the same bits.
  const parted = await gathered(some, shape, batch, indices, undefined, true, Math.ceil((pixels * 2.4) / 4));
  expectExact('x out of two parts', parted.x, x);
  expect(x.subarray(indices.length * pixels).every((value) => value === 0)).toBe(true);
  const expectedLabels = new Uint32Array(batch);
  expectedLabels.set(indices.map((i) => some.imageLabels[i]));
  expectExact('labels', labels, expectedLabels);
});

describe('augmented', () => {
  const cases = [
    { words: 'crop', shape: [3, 32, 32], batch: 24 },
    { words: 'crop=2', shape: [1, 5, 3], batch: 24 },
    { words: 'flip', shape: [1, 28, 28], batch: 8 },
    { words: 'crop=3,flip', shape: [3, 7, 5], batch: 24 },
    { words: 'cutout=5', shape: [3, 9, 6], batch: 24 },
    { words: 'crop,flip,cutout', shape: [3, 32, 32], batch: 24 },
    { words: 'crop=2,reflect', shape: [1, 5, 3], batch: 24 },
    { words: 'crop=7,reflect,alternate,cutout=3', shape: [3, 8, 8], batch: 24 },
    { words: 'alternate', shape: [2, 5, 6], batch: 24 },
  ];

  // With a mean of 0 and a deviation of 1 / 255, x is the byte itself, except for rounding.
  test.each(cases)('$shape by $words, byte for byte', async ({ words: text, shape, batch }) => {
    const some = { ...someImages(shape), mean: [0, 0, 0].slice(0, shape[0]) };
    some.std = some.mean.map(() => 1 / 255);
    const indices = Array.from({ length: batch - 1 }, (_, i) => (7 * i) % IMAGES);
    const seeded = {
      augmentation: parseAugmentation(text),
      seed: 0xabcdef01,
      runSeed: 9,
      position: 7,
      count: IMAGES,
    };
    const { x, labels, partners } = await gathered(some, shape, batch, indices, seeded);
    const expected = new Float64Array(x.length);
    expected.set(gatherReference({ ...some, shape }, indices, seeded));
    expectExact('x', x.map(Math.round), expected.map(Math.round));
    expectClose('x', x, expected, 3e-7);
    expectExact(
      'labels',
      labels.slice(0, -1),
      Uint32Array.from(indices, (i) => some.imageLabels[i]),
    );
    expectExact('partners', partners, labels);
    // Something was augmented: otherwise this test would prove nothing.
    const plain = gatherReference({ ...some, shape }, indices);
    expect(plain.some((value, i) => value !== expected[i])).toBe(true);
  });

  test('normalised: a border is black, a covered square the mean colour', async () => {
    const shape = [3, 8, 8];
    const some = someImages(shape);
    const indices = Array.from({ length: 40 }, (_, i) => i % IMAGES);
    const seeded = { augmentation: parseAugmentation('crop=3,cutout=3'), seed: 5 };
    const { x } = await gathered(some, shape, 40, indices, seeded);
    expectClose('x', x, gatherReference({ ...some, shape }, indices, seeded), 3e-7);
    const covered = x.filter((value) => value === 0).length;
    expect(covered).toBeGreaterThan(40 * 3 * 4);
    const black = x.filter((value, i) => {
      const channel = Math.floor(i / 64) % 3;
      return Math.abs(value + some.mean[channel] / some.std[channel]) < 1e-6;
    });
    expect(black.length).toBeGreaterThan(40 * 3 * 8);
  });

  test.each([
    { words: 'mixup', shape: [1, 28, 28], count: 9, mix: 0.75 },
    { words: 'crop=2,flip,cutout=3,mixup', shape: [3, 7, 5], count: 12, mix: 0.0625 },
    { words: 'mixup=1', shape: [1, 4, 4], count: 1, mix: 0.5 },
    { words: 'mixup=1', shape: [2, 4, 4], count: 2, mix: 1 },
    { words: 'mixup=1', shape: [2, 4, 4], count: 0, mix: 1 },
  ])('$shape by $words, $count of them, weight $mix', async ({ words: text, shape, count, mix }) => {
    const some = someImages(shape);
    const indices = Array.from({ length: count }, (_, i) => (3 * i + 1) % IMAGES);
    const seeded = { augmentation: parseAugmentation(text), seed: 11, mix };
    const batch = count + 2;
    const { x, labels, partners } = await gathered(some, shape, batch, indices, seeded);
    const expected = new Float64Array(x.length);
    expected.set(gatherReference({ ...some, shape }, indices, seeded));
    expectClose('x', x, expected, 4e-7);
    // With a weight of 1 nothing is blended in.
    const rows = mix < 1 ? partnersOf(seeded.seed, count) : indices.map((_, row) => row);
    const labelsOf = (samples: readonly number[]) =>
      Uint32Array.from({ length: batch }, (_, row) => some.imageLabels[samples[row]] ?? 0);
    expectExact('labels', labels, labelsOf(indices));
    expectExact('partners', partners, labelsOf(rows.map((row) => indices[row])));
  });

  test('the same seed augments in the same way, another seed differently', async () => {
    const shape = [1, 8, 8];
    const some = someImages(shape);
    const indices = [0, 1, 2, 3, 4, 5, 6, 7];
    const augmentation = parseAugmentation('crop,flip');
    const run = async (seed: number) => (await gathered(some, shape, 8, indices, { augmentation, seed })).x;
    const first = await run(3);
    expect(await run(3)).toEqual(first);
    expect(await run(4)).not.toEqual(first);
  });
});

describe('random augmentations, over many steps', () => {
  const DRAWS = 36_000;
  const seeded = (step: number) => ({ augmentation: parseAugmentation('crop,flip,cutout'), seed: step });
  const draws = Array.from({ length: DRAWS }, (_, i) =>
    drawsOf(seeded(Math.floor(i / 36)), [3, 32, 32], i % 36),
  );
  /** Expects each of `values` as often as the others, within 4.5 standard deviations. */
  const expectEven = (found: readonly number[], values: number) => {
    const counts = new Array<number>(values).fill(0);
    for (const value of found) counts[value]++;
    const mean = found.length / values;
    const spread = Math.sqrt(mean * (1 - 1 / values));
    for (const count of counts) expect(Math.abs(count - mean)).toBeLessThan(4.5 * spread);
  };

  test('crops start anywhere in the border, with equal probability', () => {
    expectEven(
      draws.map(({ left }) => left),
      9,
    );
    expectEven(
      draws.map(({ top }) => top),
      9,
    );
    expectEven(
      draws.map(({ left, top }) => 9 * left + top),
      81,
    );
  });

  test('one in two is mirrored, wherever its crop starts', () => {
    expectEven(
      draws.map(({ left, mirrored }) => 2 * left + (mirrored ? 1 : 0)),
      18,
    );
  });

  test('squares lie anywhere, with equal probability', () => {
    expectEven(
      draws.map(({ centre }) => centre.x),
      32,
    );
    expectEven(
      draws.map(({ centre }) => centre.y),
      32,
    );
  });

  test('every other row is equally likely as a partner, and no row is its own', () => {
    const shifts = Array.from({ length: 6000 }, (_, seed) => partnersOf(seed, 7)[0]);
    expect(shifts).not.toContain(0);
    expectEven(
      shifts.map((shift) => shift - 1),
      6,
    );
    expect(partnersOf(1, 7).toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });
});
