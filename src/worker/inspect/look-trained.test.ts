import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { predictTrained, TRAINED } from '../trained/trained.ts';
import { lookTrained } from './look-trained.ts';

const file = readFileSync(join('public', TRAINED));
const get: typeof fetch = async () => new Response(file);
const PAGE = 'https://example.org/';
const image = Uint8Array.from({ length: 784 }, (_, i) => (i % 28 > 12 && i % 28 < 16 ? 255 : 0));

test('before the first run, the network that comes with the page is looked at, down to single values', async () => {
  const { probabilities } = await predictTrained(image, PAGE, get);
  const all = await lookTrained({ image, layer: 'input' }, PAGE, get);
  expect(all.probabilities).toEqual(probabilities);
  expect(all.layers[0]).toMatchObject({ name: 'input', shape: [1, 28, 28] });
  expect(Object.keys(all.overviews)).toEqual(all.layers.map(({ name }) => name));
  const some = all.layers.filter(({ op }) => ['conv', 'max_pool', 'linear'].includes(op)).slice(0, 5);
  for (const { name, op, shape } of some) {
    const [, P = 1, Q = 1] = shape;
    const pixel = { k: 1, p: P >> 1, q: Q >> 1 };
    const look = await lookTrained({ image, layer: name, pixel, maps: [name, 'gone'] }, PAGE, get);
    expect(Object.keys(look.overviews)).toEqual([name]);
    const { network, error } = (op === 'conv' ? look.pixel : look.terms)!;
    expect(network, name).toBe(look.output.values[(P + pixel.p) * Q + pixel.q]);
    expect(error, name).toBeLessThan(1e-5);
    expect(look.filters === undefined, name).toBe(op !== 'conv');
  }
  await expect(lookTrained({ image, layer: 'none' }, PAGE, get)).rejects.toMatchObject({ code: 'not-found' });
});
