import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { softmax } from '../../base/softmax.ts';
import { readSafetensors } from '../../data/formats/safetensors.ts';
import { referenceLogits } from '../../engine/reference/network.ts';
import { readWeightsMetadata } from '../../models/file/weights.ts';
import lenet5 from '../../models/lenet5.ts';
import type * as Trained from './trained.ts';

/** A copy of the module, which has not fetched anything for another test file. */
const COPY = './trained.ts?copy';
const { inputOf, parseTrained, predictTrained, TRAINED } = (await import(COPY)) as typeof Trained;

const file = readFileSync(join('public', TRAINED));
const get = vi.fn<typeof fetch>(async () => new Response(file));
const PAGE = 'https://example.org/wgrad/';

/** The share of a set's first test images that the network classifies correctly. */
async function accuracyOn(folder: string, count: number): Promise<number> {
  const read = (name: string) => gunzipSync(readFileSync(join(folder, `t10k-${name}.gz`)));
  const [images, labels] = [read('images-idx3-ubyte').subarray(16), read('labels-idx1-ubyte').subarray(8)];
  let correct = 0;
  for (let i = 0; i < count; i++) {
    const { probabilities } = await predictTrained(images.subarray(784 * i, 784 * (i + 1)), PAGE, get);
    if (probabilities.indexOf(Math.max(...probabilities)) === labels[i]) correct++;
  }
  return correct / count;
}

test('it is fetched once, after a failed try again, and knows how it was trained', async () => {
  get.mockRejectedValueOnce(new TypeError('offline'));
  const image = new Uint8Array(784);
  await expect(predictTrained(image, PAGE, get)).rejects.toMatchObject({ code: 'download' });
  const { probabilities, step, testAccuracy } = await predictTrained(image, PAGE, get);
  expect(probabilities).toHaveLength(10);
  expect(probabilities.reduce((a, b) => a + b)).toBeCloseTo(1, 5);
  expect(step).toBeGreaterThan(1000);
  expect(testAccuracy).toBeGreaterThan(0.99);
  await predictTrained(image, PAGE, get);
  expect(get.mock.calls.map(([url]) => String(url))).toEqual([PAGE + TRAINED, PAGE + TRAINED]);
  await expect(predictTrained(new Uint8Array(5), PAGE, get)).rejects.toMatchObject({ code: 'bad-input' });
  expect(file.length).toBeLessThan(150_000);
});

test('its file is that of the network which computes it, and its predictions are those of the references', async () => {
  const { metadata, tensors } = readSafetensors(TRAINED, file);
  const network = parseTrained(file);
  expect(network.tensors).toEqual(tensors);
  const image = Uint8Array.from({ length: 784 }, (_, i) => (i * 7919) % 256);
  const batch = { shape: [1, 1, 28, 28], x: inputOf(network, image) };
  const logits = referenceLogits(lenet5.layers, batch, (name) => tensors.get(name)?.data ?? []);
  expect((await predictTrained(image, PAGE, get)).probabilities).toEqual(softmax(logits));
  expect(readWeightsMetadata(TRAINED, metadata).model?.layers).toEqual(lenet5.layers);
});

test('it recognises the synthetic digits, which it has not seen', async () => {
  expect(await accuracyOn('public/datasets/digits', 200)).toBeGreaterThan(0.9);
});

const mnist = join(process.env['WGRAD_DATA_DIR'] ?? '', 'mnist');
test.runIf(existsSync(join(mnist, 't10k-images-idx3-ubyte.gz')))('and those of MNIST', async () => {
  expect(await accuracyOn(mnist, 500)).toBeGreaterThan(0.98);
});
