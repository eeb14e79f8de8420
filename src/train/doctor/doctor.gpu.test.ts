/** Every check passes a healthy network, and reports a network with exactly its fault. */
import { afterAll, describe, expect, test } from 'vitest';
import { Random } from '../../base/random.ts';
import { elements } from '../../base/shape.ts';
import type { ImageSet } from '../../data/dataset.ts';
import { inferShapes, layoutParameters } from '../../engine/network.ts';
import { flatten, type StateDict } from '../../engine/parameters.ts';
import type { Device } from '../../gpu/device.ts';
import { dataset, residual, testSupply, tiny } from '../testing/tiny-run.ts';
import type { CheckResult } from './check.ts';
import { examine } from './examine.ts';
import type { PatientConfig } from './patient.ts';
import { checks, checksInOrder } from './registry.ts';

const { supply } = testSupply();
const device = (): Promise<Device> => supply.get();

afterAll(async () => (await device()).destroy());

const healthy = (): PatientConfig => ({ ...tiny({ lr: 0.003 }), dataset });

async function findingOf(name: string, change: Partial<PatientConfig>): Promise<CheckResult> {
  const [finding] = await examine(
    await device(),
    { ...healthy(), ...change },
    { checks: [checks.get(name)] },
  );
  return finding;
}

test('a healthy network passes all checks in order; no buffer is left', async () => {
  const gpu = await device();
  const before = gpu.ledger.buffers;
  const begun: string[] = [];
  const findings = await examine(gpu, healthy(), { onCheck: ({ name }) => begun.push(name) });
  expect(findings.map(({ check, light, found }) => [check, light, found])).toEqual(
    checksInOrder().map(({ name }) => [name, 'good', expect.any(String)]),
  );
  expect(begun).toEqual(checksInOrder().map(({ name }) => name));
  expect(gpu.ledger.buffers).toBe(before);
});

const settings = (lr: number): Partial<PatientConfig> => ({ lr });
const { model } = healthy();

/** Initial parameters, except for the given ones. */
function weights(change: (name: string, data: Float32Array) => void): StateDict {
  const random = new Random(3, 'weights');
  const { entries } = layoutParameters(inferShapes(model.layers, [1, ...model.input]));
  return new Map(
    entries.map(({ name, shape }) => {
      const data = Float32Array.from({ length: elements(shape) }, () => random.normal(0, 0.2));
      change(name, data);
      return [name, { shape, data }];
    }),
  );
}

const withTrain = (change: Partial<ImageSet>): Partial<PatientConfig> => ({
  dataset: { ...dataset, train: { ...dataset.train, ...change } },
});
const SIZE = elements(dataset.shape);

describe('data', () => {
  test('images that are all one image, of one colour', async () => {
    const blank = withTrain({ images: new Uint8Array(dataset.train.images.length).fill(7) });
    const { light, numbers } = await findingOf('images', blank);
    expect(light).toBe('bad');
    expect(numbers).toMatchObject({ images: 160, copies: 159, blank: 160 });
  });

  test('a few copies give a warning', async () => {
    const images = dataset.train.images.slice();
    for (let i = 1; i < 5; i++) images.copyWithin(i * SIZE, 0, SIZE);
    const { light, numbers } = await findingOf('images', withTrain({ images }));
    expect(light).toBe('watch');
    expect(numbers).toMatchObject({ copies: 4, blank: 0 });
  });

  test('a class without images, and one with few', async () => {
    const missing = withTrain({ labels: dataset.train.labels.map((label) => Math.min(label, 2)) });
    expect(await findingOf('labels', missing)).toMatchObject({
      light: 'bad',
      found: expect.stringContaining('1 of 4 classes have no training images, for example “3”'),
    });
    // 100, 20, 20 and 20.
    const uneven = Uint8Array.from({ length: 160 }, (_, i) => (i < 100 ? 0 : 1 + (i % 3)));
    expect(await findingOf('labels', withTrain({ labels: uneven }))).toMatchObject({
      light: 'watch',
      numbers: { smallest: 20, largest: 100 },
    });
  });

  test('training images in the test set', async () => {
    const { train, test: own } = dataset;
    const images = own.images.slice();
    images.set(train.images.subarray(0, 3 * SIZE));
    const shared = { dataset: { ...dataset, test: { ...own, images } } };
    expect(await findingOf('split', shared)).toMatchObject({
      light: 'bad',
      numbers: { test: 40, shared: 3 },
    });
    const { test: _, ...alone } = dataset;
    expect(await findingOf('split', { dataset: alone })).toMatchObject({ light: 'skipped' });
  });
});

describe('the network', () => {
  test('images that are not normalised make predictions too confident', async () => {
    const { light, numbers } = await findingOf('initial-loss', { dataset: { ...dataset, std: [1e-3] } });
    expect(light).toBe('bad');
    expect(numbers['expected']).toBeCloseTo(Math.log(4), 12);
    expect(numbers['loss']).toBeGreaterThan(3 * Math.log(4));
  });

  test('from trained weights, the loss may be lower, but not higher', async () => {
    // Whatever the image, the first class: right for a quarter of them, or confidently wrong.
    const sure = (bias: number) =>
      weights((name, data) => {
        data.fill(0);
        if (name === `${model.layers.at(-1)?.name}.bias`) data[0] = bias;
      });
    const all = (label: number) => withTrain({ labels: dataset.train.labels.map(() => label) });
    const low = await findingOf('initial-loss', { ...all(0), initial: sure(9) });
    expect(low).toMatchObject({ light: 'good', found: expect.stringContaining('from trained weights') });
    expect(low.numbers['loss']).toBeLessThan(0.01);
    expect(await findingOf('initial-loss', { ...all(1), initial: sure(9) })).toMatchObject({
      light: 'bad',
      advice: expect.stringContaining('these classes, in this order'),
    });
  });

  test('the weights of the run that it starts from are those that are checked', async () => {
    const initial = weights(() => undefined);
    const layout = layoutParameters(inferShapes(model.layers, [1, ...model.input]));
    const fork = { snapshot: flatten(layout, initial), steps: 7 };
    const of = async (change: Partial<PatientConfig>) =>
      (await findingOf('initial-loss', change)).numbers['loss'];
    expect(await of({ fork })).toBe(await of({ initial }));
    expect(await of({ fork })).not.toBe(await of({}));
  });

  test('frozen layers do not count as unchanged', async () => {
    const { entries } = layoutParameters(inferShapes(residual.layers, [1, ...residual.input]));
    const layers = [...new Set(entries.map(({ layer }) => layer))];
    const change = { model: residual, freeze: layers.slice(0, -1) };
    expect(await findingOf('update-ratios', change)).toMatchObject({ light: 'good' });
  });

  test.each([
    [100, 'a learning rate of 100'],
    [1e-7, 'steps that lead nowhere'],
  ])('one batch is not learnt: %s, %s', async (lr) => {
    const { light, numbers, advice, fix, chart } = await findingOf('overfit', settings(lr));
    expect(light).toBe('bad');
    expect(numbers['images']).toBe(8);
    expect(advice).toContain('learning rate');
    const rate = fix?.settings.lr ?? NaN;
    expect(fix?.title).toBe(`Set learning rate to ${rate}`);
    expect(Math.sign(rate - lr)).toBe(lr > 1 ? -1 : 1);
    expect(chart).toMatchObject({ kind: 'lines', series: [{ name: 'loss' }] });
    // It was tried, and with it the network learns the batch.
    expect(advice).toMatch(/tried for 20 steps; the loss came to .*Take /);
    expect((await findingOf('overfit', settings(rate))).light).toBe('good');
  });

  test('where no learning rate can help, none is suggested', async () => {
    const { entries } = layoutParameters(inferShapes(model.layers, [1, ...model.input]));
    const freeze = [...new Set(entries.map(({ layer }) => layer))];
    const { light, advice, fix } = await findingOf('overfit', { freeze });
    expect(light).toBe('bad');
    expect(advice).toContain('None is better: look at the gradient check');
    expect(fix).toBeUndefined();
  });

  test('a learning rate that makes it worse than guessing', async () => {
    const { light, numbers, advice } = await findingOf('zeroed-inputs', settings(100));
    expect(light).toBe('bad');
    expect(numbers['real']).toBeGreaterThan(2 * Math.log(4));
    expect(advice).toContain('learning rate is too high');
  });

  test('a network that has not left ln(classes) is not judged yet', async () => {
    const { light, numbers, found } = await findingOf('zeroed-inputs', settings(1e-7));
    expect(numbers['real']).toBeGreaterThan(0.95 * Math.log(4));
    expect(light).toBe('watch');
    expect(found).toContain('Too early to tell: the network does not beat random guessing (1.39) yet.');
  });

  test('a network that ignores its images', async () => {
    const initial = weights((name, data) => {
      if (name === 'conv.weight') data.fill(0);
      if (name === 'conv.bias') data.fill(-1);
    });
    const { light, numbers } = await findingOf('zeroed-inputs', { initial });
    expect(light).toBe('bad');
    expect(numbers['real']).toBeCloseTo(numbers['zeroed'], 6);
  });

  test.each([
    [3, 'watch'],
    [4, 'bad'],
  ])('ReLUs that are dead, in the weights that a run has come to: %s of 4', async (dead, light) => {
    const killed = weights((name, data) => {
      if (name === 'conv.bias') data.fill(-1000, 0, dead);
    });
    expect(await findingOf('dead-relus', { weights: killed })).toMatchObject({
      light,
      numbers: { dead, channels: 4, worstDead: dead },
      found: expect.stringContaining(`most in relu, ${dead} of 4`),
    });
  });

  test.each([
    [1e-9, 'Raise'],
    [10, 'Lower'],
  ])(
    'with a learning rate of %s updates are of the wrong size: the advice is to %s it',
    async (lr, advised) => {
      const finding = await findingOf('update-ratios', settings(lr));
      expect(finding.light).toBe('bad');
      expect(finding.advice).toContain(advised);
      expect(finding.fix?.settings.lr).toBeCloseTo(advised === 'Raise' ? 10 * lr : lr / 10, 12);
      expect(finding.chart).toMatchObject({ kind: 'gauge', healthy: [1e-4, 0.1] });
    },
  );

  test('a kernel that computes a gradient wrongly', async () => {
    const { kernels } = await device();
    const shader = 'linear/wgrad';
    const right = kernels.sourceOf(shader);
    const wrong = right.replace('n + i] = c[i];', 'n + i] = 1.05 * c[i];');
    expect(wrong).not.toBe(right);
    kernels.replaceSource(shader, wrong);
    try {
      const { light, numbers, found } = await findingOf('gradients', {});
      expect(light).toBe('bad');
      expect(numbers['worst']).toBeCloseTo(0.05, 3);
      expect(found).toContain('1 of 4 gradients differ from float64. Worst: fc.weight');
    } finally {
      kernels.replaceSource(shader, undefined);
    }
  });
});

test('an examination can be cancelled, and refuses models that do not fit', async () => {
  const gpu = await device();
  const before = gpu.ledger.buffers;
  let asked = 0;
  const ended = examine(gpu, healthy(), { shouldContinue: () => ++asked < 6 });
  await expect(ended).rejects.toMatchObject({ code: 'cancelled' });
  expect(gpu.ledger.buffers).toBe(before);
  await expect(examine(gpu, { ...healthy(), batchSize: 0 })).rejects.toMatchObject({ code: 'bad-input' });
});
