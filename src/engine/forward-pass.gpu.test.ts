import { expect, test } from 'vitest';
import { ForwardPass } from './forward-pass.ts';
import { testDevice } from './testing/gpu.ts';

test('of many images asked for at once, each gets its own values', async () => {
  const device = await testDevice();
  const pass = await ForwardPass.load(
    device,
    {
      layers: [
        { name: 'flatten', op: 'flatten' },
        { name: 'fc', op: 'linear', attributes: { outFeatures: 1 } },
      ],
      input: [1, 1, 1, 2],
      parameters: new Map([
        ['fc.weight', { shape: [1, 2], data: Float32Array.of(1, 10) }],
        ['fc.bias', { shape: [1], data: Float32Array.of(0.5) }],
      ]),
    },
    'vectors',
  );
  const images = Array.from({ length: 20 }, (_, i) => Float32Array.of(i, i / 2));
  expect(await Promise.all(images.map((image) => pass.vectors(image)))).toEqual(
    images.map((image) => [image]),
  );
  const logits = await Promise.all(images.map((image) => pass.logits(image)));
  expect(logits).toEqual(images.map(([a, b]) => Float32Array.of(a + 10 * b + 0.5)));
  pass.destroy();
});
