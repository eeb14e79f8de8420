/** `train --weights` and `doctor --weights`: own pictures on a network that wgrad comes with, and that run's weights in turn. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { PNG } from 'pngjs';
import { beforeAll, expect, test } from 'vitest';
import { readSafetensors } from '../data/formats/safetensors.ts';
import { linesOf, testFolder } from './testing/program.ts';

const { at, run: wgrad } = testFolder();
const read = (path: string) => readSafetensors(path, new Uint8Array(readFileSync(path)));

beforeAll(() => {
  for (const [kind, shade] of Object.entries({ dark: 40, grey: 120, light: 200 })) {
    mkdirSync(at(`photos/${kind}`), { recursive: true });
    for (let i = 0; i < 4; i++) {
      const picture = new PNG({ width: 30, height: 20 });
      picture.data.fill(shade + 5 * i);
      writeFileSync(at(`photos/${kind}/${i}.png`), PNG.sync.write(picture));
    }
  }
});

const train = (words: string) =>
  wgrad(`train --dataset own --data-dir @photos --batch-size 4 --steps 3 --find-db @find-db.json ${words}`);

test('own pictures on a network that wgrad comes with: three classes, and its normalisation', async () => {
  const { status, out, err } = await train(
    '--weights lenet5-mnist --freeze conv1,conv2 --save @mine.safetensors',
  );
  expect({ status, err }).toMatchObject({
    status: 0,
    err: expect.stringContaining(
      'lenet5-mnist: 8 of 10 tensors are loaded; new: fc3.weight [3, 84] (there [10, 84]), fc3.bias [3] (there [10])',
    ),
  });
  const [{ weights, tensors }] = linesOf<{ weights: string; tensors: { status: string }[] }>(out);
  expect([weights, tensors.map((tensor) => tensor.status).join()]).toEqual([
    'lenet5-mnist',
    `${'taken,'.repeat(8)}other shape,other shape`,
  ]);
  const [theirs, mine] = [read('public/trained/lenet5.safetensors'), read(at('mine.safetensors'))];
  for (const key of ['mean', 'std']) expect(mine.metadata.get(key)).toBe(theirs.metadata.get(key));
  expect(mine.tensors.get('conv2.weight')).toEqual(theirs.tensors.get('conv2.weight'));
  expect(mine.tensors.get('fc1.weight')).not.toEqual(theirs.tensors.get('fc1.weight'));

  // Its weights start another run in turn, whole.
  const again = await train('--weights @mine.safetensors --checkpoint @checkpoint');
  expect(again.err).toContain('mine.safetensors: 10 of 10 tensors are loaded\n');
  const resumed = await wgrad('train --resume @checkpoint --steps 4');
  expect(linesOf(resumed.out).at(-1)).toMatchObject({ final: true, steps: 4 });
});

test('the Doctor examines the network that the run starts from', async () => {
  const doctor = (model: string) =>
    wgrad(`doctor --model ${model} --dataset digits --weights lenet5-mnist --checks initial-loss,dead-relus`);
  const { status, out, err } = await doctor('lenet5');
  expect({ status, err }).toMatchObject({ status: 0, err: expect.stringContaining('10 of 10 tensors') });
  const [loss, relus] = linesOf<{ loss: number; found: string }>(out);
  expect(loss.loss).toBeLessThan(1);
  expect(loss.found).toContain('from trained weights');
  expect(relus.found).toContain('with the weights that the run starts from');
  expect((await doctor('mlp')).err).toMatch(/do not fit Multilayer perceptron/);
});

test('what contradicts it, and weights that are not there or of another network', async () => {
  const both = await train('--weights lenet5-mnist --init @mine.safetensors');
  expect(both).toMatchObject({
    status: 2,
    err: expect.stringMatching(/give either --init or one of --weights/),
  });
  expect((await train('--weights @none')).err).toMatch(/none cannot be read/);
  const other = await train('--model mlp --weights lenet5-mnist');
  expect(other).toMatchObject({ status: 2, err: expect.stringMatching(/do not fit Multilayer perceptron/) });
});
