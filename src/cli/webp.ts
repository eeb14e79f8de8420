/** WebP, by Google's decoder as WebAssembly, which is loaded when a picture needs it. */
import { lazily } from '../base/lazily.ts';
import type { Picture } from '../base/pixels/resize.ts';

const decoder = lazily(async () => {
  const [{ default: decode, init }, { default: url }] = await Promise.all([
    import('@jsquash/webp/decode.js'),
    import('@jsquash/webp/codec/dec/webp_dec.wasm?url&inline'),
  ]);
  // What the decoder says of a damaged file would go to the output.
  const silent = { print: () => undefined, printErr: () => undefined };
  await init({ ...silent, wasmBinary: Buffer.from(url.slice(url.indexOf(',') + 1), 'base64') });
  return decode;
});

/** @throws Error if it is damaged */
export async function decodeWebp(bytes: Uint8Array): Promise<Picture> {
  const decode = await decoder();
  const { width, height, data } = await decode(bytes.slice().buffer);
  return { width, height, data };
}
