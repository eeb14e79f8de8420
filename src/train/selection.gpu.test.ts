/** Runs on selected images, and with class weights. */
import { expect, test } from 'vitest';
import { selectImages } from '../data/select.ts';
import { pack, unpack } from '../storage/packed.ts';
import { resumedConfig } from './checkpoint.ts';
import type { TrainingConfig } from './config.ts';
import { asCheckpoint } from './stored-checkpoint.ts';
import { cleanSupply, dataset, recorded, tiny, trainedRun } from './testing/tiny-run.ts';

const supply = cleanSupply();

async function selecting(change: Partial<TrainingConfig>): Promise<TrainingConfig> {
  const config = tiny(change);
  return { ...config, dataset: await selectImages(config.dataset, config) };
}

test('an epoch ends with the test and the validation; both are of the same weights', async () => {
  const { run } = recorded(await selecting({ validation: 0.2, lastStep: 16 }), supply);
  run.train();
  await run.settled();
  const [validation, tests] = [await run.evaluate('validation'), await run.evaluate('test')];
  await run.close();
  expect(run.history.evaluations.map(({ epoch }) => epoch)).toEqual([1, 2]);
  expect(run.history.evaluations[1]).toMatchObject({
    testLoss: tests.loss,
    testAccuracy: tests.accuracy,
    validationLoss: validation.loss,
    validationAccuracy: validation.accuracy,
  });
  expect(validation.predictions).toHaveLength(32);
  expect(validation.loss).not.toBe(tests.loss);
});

test('without validation there are no such values', async () => {
  const { history } = await trainedRun(tiny({ lastStep: 10 }), supply);
  expect(Object.keys(history.evaluations[0])).not.toContain('validationLoss');
});

test('early stopping follows the validation, whatever the test says', async () => {
  const { train, ...rest } = dataset;
  // No network that learns predicts them.
  const misleading = { ...train, labels: train.labels.map((label) => (label + 1) % 4) };
  const reasons: string[] = [];
  const { history } = await trainedRun(
    tiny({ dataset: { ...rest, train, validation: misleading }, patience: 2, lastStep: 200 }),
    supply,
    undefined,
    { stopReason: (reason) => reasons.push(reason) },
  );
  const { evaluations } = history;
  expect(evaluations.at(-1)?.testAccuracy).toBe(Math.max(...evaluations.map((one) => one.testAccuracy)));
  expect(reasons).toEqual([expect.stringMatching(/^No improvement in validation accuracy for 2 epochs/)]);
});

test('validation needs test images beside it', async () => {
  const { test: _none, ...untested } = dataset;
  const config = await selecting({ dataset: untested, validation: 0.2 });
  expect(() => recorded(config, supply)).toThrow(/no test images beside those held back/);
});

test('a run that resumes from a file has the bits of one that nothing disturbed', async () => {
  const change = {
    ...{ validation: 0.1, trainImages: 60, wrongLabels: 0.3, labelSmoothing: 0.1 },
    classWeights: 'balanced' as const,
  };
  const whole = await trainedRun(await selecting({ ...change, lastStep: 20 }), supply);
  const first = await trainedRun(await selecting({ ...change, lastStep: 9 }), supply);
  const checkpoint = asCheckpoint('run', await unpack('run', await pack(first.checkpoint)));
  const images = await selectImages(dataset, checkpoint.config);
  const second = await trainedRun(resumedConfig(checkpoint, images, { lastStep: 20 }), supply);
  expect(second.record.losses.slice(9)).toEqual(whole.record.losses.slice(9));
  expect(second.parameters).toEqual(whole.parameters);
  expect(second.history).toEqual(whole.history);
});

test.each([
  [{ trainImages: 40 }],
  [{ validation: 0.1 }],
  [{ wrongLabels: 0.3 }],
  [{ classWeights: [1, 2, 3, 4] }],
])('%o changes the run', async (change) => {
  const [plain, other] = await Promise.all([tiny({ lastStep: 3 }), selecting({ ...change, lastStep: 3 })]);
  const [a, b] = [await trainedRun(plain, supply), await trainedRun(other, supply)];
  expect(a.record.losses).not.toEqual(b.record.losses);
});

test('balanced weights are those of the images that are trained on', async () => {
  const { train } = dataset;
  const labels = train.labels.map((label) => (label === 3 ? 2 : label));
  const uneven = { ...dataset, train: { ...train, labels } };
  const counts = [0, 1, 2].map((label) => labels.filter((one) => one === label).length);
  const given = [...counts.map((count) => 160 / (3 * count)), 0];
  const [balanced, listed] = [
    await trainedRun(tiny({ dataset: uneven, classWeights: 'balanced', lastStep: 4 }), supply),
    await trainedRun(tiny({ dataset: uneven, classWeights: given, lastStep: 4 }), supply),
  ];
  expect(balanced.record.losses).toEqual(listed.record.losses);
  // Of weights that are all 1, the weighted mean is the mean.
  const [ones, none] = [
    await trainedRun(tiny({ classWeights: [1, 1, 1, 1], lastStep: 4 }), supply),
    await trainedRun(tiny({ lastStep: 4 }), supply),
  ];
  expect(ones.parameters).toEqual(none.parameters);
});

test('weights for another number of classes are refused', () => {
  expect(() => recorded(tiny({ classWeights: [1, 2] }), supply)).toThrow(
    'class weights: expected one for each of 4 classes, found 2',
  );
});
