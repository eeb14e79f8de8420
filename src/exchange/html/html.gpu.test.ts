/** The exported page's own parts: what it computes is what wgrad computes. e2e/exported-page.spec.ts opens the page. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { count } from '../../base/testing/tier.ts';
import { imageOfSheet } from '../../app/pad/drawing.ts';
import { readSafetensors } from '../../data/formats/safetensors.ts';
import { ForwardPass } from '../../engine/forward-pass.ts';
import { normalisedImage } from '../../engine/samples.ts';
import { expectClose } from '../../engine/testing/check.ts';
import { foldModel } from '../../models/file/folded.ts';
import { readWeightsMetadata, type Trained } from '../../models/file/weights.ts';
import { models } from '../../models/index.ts';
import { openNodeDevice } from '../../node/gpu.ts';
import { pixels, trained as withWeights } from '../testing/answers.ts';
import { ODD_MODELS } from '../testing/odd-models.ts';
import { colourImage, normalisedDigit } from './images.js';
import { load } from './runner.js';
import { toHtml } from './write.ts';

const file = 'public/trained/lenet5.safetensors';
const { tensors: parameters, metadata } = readSafetensors(file, new Uint8Array(readFileSync(file)));
const info = readWeightsMetadata(file, metadata);
const lenet5 = { model: info.model!, parameters, info };

/** What is in an element of an exported page. */
const textOf = (page: string, id: string) => page.split(`id="${id}">`)[1].split('</script>')[0];

/** Answers as an exported page's script does, with what is written in the page alone. */
async function pageOf(trained: Trained) {
  const page = await toHtml(trained);
  const weights = gunzipSync(Buffer.from(textOf(page, 'weights'), 'base64'));
  return load(JSON.parse(textOf(page, 'network')) as never, new Uint8Array(weights));
}

/** Softmax regression to the largest network for images of 32 x 32; those for 224 x 224 take minutes. */
const MODELS = models.all().filter(({ input }) => input[1] <= 32);
const CHOSEN =
  count(0, 0, 1) === 1 ? MODELS : MODELS.filter(({ name }) => ['lenet5', 'resnet8'].includes(name));
const ODD = ODD_MODELS.filter(({ input: [channels] }) => channels === 1 || channels === 3);

test.each([...ODD, ...CHOSEN])('$name: the page answers as the engine, folded or not', async (model) => {
  const original = withWeights(model);
  const image = pixels(1, model);
  const device = await openNodeDevice();
  const { layers, input } = model;
  const predictor = await ForwardPass.load(device, {
    layers,
    input: [1, ...input],
    parameters: original.parameters,
  });
  const expected = await predictor.probabilities(normalisedImage(image, input, original.info.normalisation!));
  device.destroy();
  // In “branches”, others read what batch norm reads.
  const folds = layers.some(({ op }) => op === 'batch_norm') && model.name !== 'branches';
  const folded = folds ? [{ ...original, ...foldModel(model, original.parameters) }] : [];
  for (const [i, trained] of [original, ...folded].entries()) {
    const answer = await pageOf(trained);
    const shares = answer(image);
    // The second time as the first.
    expect(answer(image)).toEqual(shares);
    expectClose(
      i === 0 ? 'shares' : 'shares, folded',
      Float32Array.from(shares),
      expected,
      i === 0 ? 1e-5 : 1e-4,
    );
  }
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
  expect(page).toContain('Trained on MNIST, test accuracy 99.41 % in the last test (10,000 images).');
  const few = { ...lenet5, info: { ...lenet5.info, dataset: 'own', testAccuracy: 11 / 12 } };
  expect(await toHtml(few, 12)).toContain(
    'Trained on own images, test accuracy 92 % in the last test (12 images, 95 % interval 65 to 99 %).',
  );
  expect(page).not.toMatch(/\bimport\b[^`]*from|https?:|^export /m);
  const model = { ...lenet5.model, title: '</title><script>' };
  expect(await toHtml({ ...lenet5, model })).toContain('&#60;/title&#62;&#60;script&#62;</title>');
  await expect(toHtml({ ...lenet5, parameters: new Map() })).rejects.toMatchObject({ code: 'bad-file' });
});

test('names that look like markup or templates stay text, and what a page cannot hold or take is refused', async () => {
  const classes = [
    '</script><script>alert(1)</script>',
    '${1}`$&\'"',
    '<!--',
    '\u2028',
    ...Array.from('456789'),
  ];
  const page = await toHtml({ ...lenet5, info: { ...info, classes, dataset: '<img src=x>' } });
  expect(page.match(/<script/g)).toHaveLength(3);
  expect(page).not.toMatch(/<img|<!--/);
  expect(JSON.parse(textOf(page, 'network'))).toMatchObject({ classes });
  const maxout = ODD_MODELS.find(({ name }) => name === 'maxout')!;
  await expect(toHtml(withWeights(maxout))).rejects.toMatchObject({
    code: 'unsupported',
    message: 'expected images of 1 or 3 channels, found 2',
  });
  const vgg19 = { model: models.get('vgg19_224'), parameters: new Map(), info: {} };
  await expect(toHtml(vgg19)).rejects.toMatchObject({
    code: 'unsupported',
    message: 'expected at most 256 MiB of weights in a page, found 548 MiB',
  });
});
