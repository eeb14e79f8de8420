import { readFileSync } from 'node:fs';
import encode, { init } from '@jsquash/webp/encode.js';
import { expect, test } from 'vitest';
import { pictureHeader } from '../base/picture.ts';
import { decodeJpeg, decodeWebp } from './codecs.ts';
import jpegs from './testing/jpegs.json' with { type: 'json' };

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

/** Pictures of 21 x 18 pixels, and what libjpeg-turbo 3.1.4 (Pillow 12.3) makes of them. */
const { CMYK, ...decodable } = jpegs;
const bytesOf = (base64: string) => Uint8Array.from(Buffer.from(base64, 'base64'));

test.each(Object.entries(decodable))(
  'a JPEG has the values that browsers see: %s',
  async (_kind, { file, rgb }) => {
    const found = await decodeJpeg(bytesOf(file));
    expect([found.width, found.height]).toEqual([21, 18]);
    expect([...found.data].filter((_, i) => i % 4 < 3)).toEqual([...bytesOf(rgb)]);
  },
);

test('JPEGs that end early, are damaged or in CMYK are refused, and the next one is read', async () => {
  const good = bytesOf(decodable['4:2:0'].file);
  const table = good.findIndex((byte, i) => byte === 0xff && good[i + 1] === 0xc4);
  const damaged = good.with(table + 5, 255);
  await expect(decodeJpeg(damaged)).rejects.toThrow('Bogus Huffman table');
  for (const cut of [2, 40, 200, good.length - 20])
    await expect(decodeJpeg(good.subarray(0, cut))).rejects.toThrow('Premature end');
  await expect(decodeJpeg(bytesOf(CMYK.file))).rejects.toMatchObject({ code: 'bad-file' });
  await expect(decodeJpeg(bytesOf(CMYK.file))).rejects.toThrow(/in CMYK.* Save it in RGB/);
  expect((await decodeJpeg(good)).width).toBe(21);
});
