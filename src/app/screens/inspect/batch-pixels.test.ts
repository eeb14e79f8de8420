import { expect, test } from 'vitest';
import { denormalised, momentsOf } from './batch-pixels.ts';

test('normalised values become the original bytes', () => {
  const normalisation = { shape: [2, 1, 3], mean: [0.5, 0.25], std: [0.2, 0.5] };
  const bytes = Uint8Array.of(0, 17, 255, 3, 200, 99, 1, 2, 3, 4, 5, 6);
  const seen = Float32Array.from(bytes, (byte, i) => {
    const channel = Math.floor(i / 3) % 2;
    return (byte / 255 - normalisation.mean[channel]) / normalisation.std[channel];
  });
  expect(denormalised(seen, normalisation)).toEqual(bytes);
  expect([...denormalised(Float32Array.of(9, -9, 0), normalisation)]).toEqual([255, 0, 128]);
});

test('moments of the values of a batch', () => {
  expect(momentsOf(Float32Array.of(-1, 1, 3, 1))).toEqual({
    least: -1,
    most: 3,
    mean: 1,
    deviation: Math.SQRT2,
  });
});
