/** The exported page's own parts: what it computes is what wgrad computes. e2e/exported-page.spec.ts opens the page. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { imageOfSheet } from '../../app/pad/drawing.ts';
import { readSafetensors } from '../../data/formats/safetensors.ts';
import { normalisedImage, Predictor } from '../../engine/predictor.ts';
import { typicalParameters } from '../../engine/typical-parameters.ts';
import { readWeightsMetadata, type Trained } from '../../models/file/weights.ts';
import { models } from '../../models/index.ts';
import { openNodeDevice } from '../../node/gpu.ts';
import { recordForward } from './forward.ts';
import { colourImage, normalisedDigit } from './images.js';
import { load } from './runner.js';
import { toHtml } from './write.ts';

const file = 'public/trained/lenet5.safetensors';
const { tensors: parameters, metadata } = readSafetensors(file, new Uint8Array(readFileSync(file)));
const info = readWeightsMetadata(file, metadata);
const lenet5 = { model: info.model!, parameters, info };

/** What the page's runner answers for an image, from the recording alone. */
async function answerOf({ model, parameters: weights, info: about }: Trained, image: Uint8Array) {
  const { kernels, memory, calls, ...places } = await recordForward({ model, parameters: weights });
  const network = {
    ...places,
    ...about.normalisation!,
    shape: [...model.input],
    classes: Array.from({ length: model.classes }, String),
    kernels: kernels.map(({ length }) => length),
    calls: calls.map(({ kernel, workgroups, args }): [number, number, ...number[]] => [
      kernel,
      workgroups,
      ...args,
    ]),
  };
  const bytes = new Uint8Array(await new Blob([...kernels, memory]).arrayBuffer());
  const answer = await load(network as never, bytes);
  // The second time as the first.
  const first = answer(image);
  expect(answer(image)).toEqual(first);
  return first;
}

test.each<[string, Trained]>([
  ['LeNet-5', lenet5],
  [
    'a residual network with batch norm',
    {
      model: models.get('resnet8'),
      parameters: typicalParameters(models.get('resnet8').layers, [1, 3, 32, 32]),
      info: { normalisation: { mean: [0.5, 0.4, 0.3], std: [0.2, 0.25, 0.3] } },
    },
  ],
])('%s: the recording answers as the engine', async (_, trained) => {
  const { model, parameters: weights, info: about } = trained;
  const image = Uint8Array.from({ length: model.input.reduce((a, b) => a * b) }, (__, i) => (i * 37) % 256);
  const device = await openNodeDevice();
  const predictor = await Predictor.load(device, {
    layers: model.layers,
    input: [1, ...model.input],
    parameters: weights,
  });
  const expected = await predictor.probabilities(normalisedImage(image, model.input, about.normalisation!));
  device.destroy();
  const found = await answerOf(trained, image);
  found.forEach((share, i) => expect(share).toBeCloseTo(expected[i], 4));
});

test('drawings and pictures become images as on the pad of wgrad’s own page', () => {
  const side = 60;
  const rgba = Uint8ClampedArray.from({ length: 4 * side * side }, (_, i) => {
    const [x, y] = [Math.floor(i / 4) % side, Math.floor(i / 4 / side)];
    const inside = (x - 25) ** 2 / 120 + (y - 35) ** 2 / 400 < 1;
    return i % 4 === 3 ? (inside ? 255 : 0) : (x * 4 + y * (i % 4)) % 256;
  });
  const ink = Uint8Array.from({ length: side * side }, (_, i) => rgba[4 * i + 3]);
  const digit = imageOfSheet(rgba, side, { shape: [1, 28, 28], digits: true });
  expect(normalisedDigit(ink, side)).toEqual(digit);
  expect(normalisedDigit(new Uint8Array(side * side), side)).toBeUndefined();
  const shape = [3, 32, 32];
  expect(colourImage(rgba, side, shape)).toEqual(imageOfSheet(rgba, side, { shape, digits: false }));
});

test('the page is small, fetches nothing, and says what the network is', async () => {
  const page = await toHtml(lenet5);
  expect(page.length).toBeLessThan(300_000);
  expect(page).toContain('Trained on MNIST, test accuracy 99.41 %.');
  expect(page).not.toMatch(/\bimport\b[^`]*from|https?:|^export /m);
  const model = { ...lenet5.model, title: '</title><script>' };
  expect(await toHtml({ ...lenet5, model })).toContain('&#60;/title&#62;&#60;script&#62;</title>');
  await expect(toHtml({ ...lenet5, parameters: new Map() })).rejects.toMatchObject({ code: 'bad-file' });
});
