import { readFileSync } from 'node:fs';
import encode, { init } from '@jsquash/jpeg/encode.js';
import type { Picture } from '../../base/pixels/resize.ts';

/** A JPEG with one scan. @param quality 1 to 100 */
export async function encodeJpeg({ width, height, data }: Picture, quality: number): Promise<Uint8Array> {
  await init({ wasmBinary: readFileSync('node_modules/@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm') });
  const image = { width, height, data: Uint8ClampedArray.from(data), colorSpace: 'srgb' } as ImageData;
  return new Uint8Array(await encode(image, { quality, baseline: true }));
}
