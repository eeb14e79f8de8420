/** `train` on selected images, and with class weights. */
import { expect, test } from 'vitest';
import { linesOf, testFolder } from './testing/program.ts';

const { run: wgrad } = testFolder();

const RUN = 'train --model softmax_regression --dataset digits --batch-size 16 --engine cpu';
const SELECTED = '--validation 0.2 --train-images 60 --wrong-labels 0.3 --class-weights balanced';

type Line = Record<string, unknown>;
const withoutTimes = (out: string) =>
  linesOf<Line>(out).map(({ images_per_second: _rate, train_seconds: _seconds, ...line }) => line);

test('epochs and the last line add the validation, after what they have without', async () => {
  const { out } = await wgrad(`${RUN} ${SELECTED} --epochs 1`);
  const lines = linesOf<Line>(out);
  const epoch = lines.find((line) => 'epoch' in line);
  expect(Object.keys(epoch ?? {}).slice(0, 6)).toEqual([
    ...['epoch', 'train_loss', 'test_loss', 'test_accuracy', 'validation_loss', 'validation_accuracy'],
  ]);
  expect(lines.at(-1)).toMatchObject({
    steps: 4,
    validation_loss: epoch?.['validation_loss'],
    validation_accuracy: epoch?.['validation_accuracy'],
  });
  const plain = await wgrad(`${RUN} --train-images all --class-weights none --epochs 1`);
  expect(plain.out).not.toContain('validation');
  const defaults = await wgrad(`${RUN} --epochs 1`);
  expect(withoutTimes(plain.out)).toEqual(withoutTimes(defaults.out));
});

test('a resumed run has the same bits, and keeps its selection', async () => {
  const whole = withoutTimes((await wgrad(`${RUN} ${SELECTED} --epochs 4`)).out);
  await wgrad(`${RUN} ${SELECTED} --epochs 2 --checkpoint @run`);
  const refused = await wgrad(`train --resume @run --epochs 4 --train-images all`);
  expect([refused.status, refused.err]).toEqual([
    2,
    expect.stringContaining('--train-images: the run to resume has 60, not none'),
  ]);
  const resumed = await wgrad(`train --resume @run --epochs 4 --engine cpu`);
  const rest = withoutTimes(resumed.out);
  expect(rest.length).toBeGreaterThan(5);
  expect(rest).toEqual(whole.slice(-rest.length));
});

test.each([
  ['--train-images 99999', '--train-images: expected at most the 10000 training images of digits'],
  ['--train-images 0', '--train-images: expected a whole number of at least 1, found "0"'],
  ['--validation 1', '--validation: expected a number of at least 0 and less than 1, found "1"'],
  ['--wrong-labels 20%', '--wrong-labels: expected a number from 0 to 1, found "20%"'],
  ['--class-weights 1,2', 'class weights: expected one for each of 10 classes, found 2'],
  [
    '--class-weights 1,-2',
    '--class-weights: expected balanced, or a number of at least 0 for each class, separated by commas, found "1,-2"',
  ],
])('%s is refused', async (words, message) => {
  const { status, err } = await wgrad(`${RUN} ${words} --epochs 1`);
  expect([status, err]).toEqual([2, expect.stringContaining(message)]);
});

test('the Doctor counts the labels that the run trains on', async () => {
  const { out } = await wgrad(
    'doctor --model softmax_regression --dataset digits --checks labels --engine cpu --train-images 40',
  );
  expect(linesOf<Line>(out)[0]).toMatchObject({ smallest: 4, largest: 4 });
});
