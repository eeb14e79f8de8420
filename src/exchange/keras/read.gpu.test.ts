/** Files of Keras, which fixtures/make.py wrote: they answer here as in Keras. */
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { elements } from '../../base/shape.ts';
import { expectClose } from '../../engine/testing/check.ts';
import { testDevice } from '../../engine/testing/gpu.ts';
import { importNetwork } from '../importers.ts';
import { logitsOf } from '../testing/answers.ts';

const device = await testDevice();
afterAll(() => device.destroy());

const fixture = (name: string) => new Uint8Array(readFileSync(new URL(`fixtures/${name}`, import.meta.url)));
const LOGITS = JSON.parse(new TextDecoder().decode(fixture('logits.json'))) as Record<string, number[]>;
const N = 2;

test.each(['many.keras', 'many.h5', 'pixels.keras', 'pixels.h5'])('%s', async (name) => {
  const network = await importNetwork(name, fixture(name));
  const images = Uint8Array.from({ length: N * elements(network.model.input) }, (_, i) => (i * 37) % 256);
  const wanted = Float32Array.from(LOGITS[name.slice(0, name.indexOf('.'))]);
  expectClose('logits', await logitsOf(device, network, images), wanted, 1e-5);
  expect(network.notes.join(' ')).toMatch(name.startsWith('many') ? /^RandomFlip was left out/ : /^$/);
});
