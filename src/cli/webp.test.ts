import { readFileSync } from 'node:fs';
import encode, { init } from '@jsquash/webp/encode.js';
import { expect, test } from 'vitest';
import { pictureHeader } from '../base/picture.ts';
import { decodeWebp } from './webp.ts';

test('a lossless WebP is read to the byte; a damaged one is refused', async () => {
  await init({ wasmBinary: readFileSync('node_modules/@jsquash/webp/codec/enc/webp_enc.wasm') });
  const [width, height] = [9, 7];
  const data = Uint8ClampedArray.from({ length: 4 * width * height }, (_, i) =>
    i % 4 === 3 ? 255 : (i * 7919) % 251,
  );
  const image = { width, height, data, colorSpace: 'srgb' } as ImageData;
  const file = new Uint8Array(await encode(image, { lossless: 1, exact: 1 }));
  expect(pictureHeader('x', file)).toMatchObject({ kind: 'WebP', width, height });
  const found = await decodeWebp(file);
  expect([found.width, found.height]).toEqual([width, height]);
  expect([...found.data]).toEqual([...data]);
  await expect(decodeWebp(file.subarray(0, 40))).rejects.toBeInstanceOf(Error);
});
