/** WebP and JPEG, by the libraries that Chromium has, as WebAssembly: each is loaded when a picture needs it. */
import { lazily } from '../base/lazily.ts';
import type { Picture } from '../base/pixels/resize.ts';
import { Failure } from '../base/result.ts';

/** The bytes of an inlined file. */
const inlined = ({ default: url }: { default: string }) =>
  Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');

const webp = lazily(async () => {
  const [{ default: decode, init }, wasm] = await Promise.all([
    import('@jsquash/webp/decode.js'),
    import('@jsquash/webp/codec/dec/webp_dec.wasm?url&inline'),
  ]);
  // What the decoder says of a damaged file would go to the output.
  const silent = { print: () => undefined, printErr: () => undefined };
  await init({ ...silent, wasmBinary: inlined(wasm) });
  return decode;
});

/** @throws Error if it is damaged */
export async function decodeWebp(bytes: Uint8Array): Promise<Picture> {
  const decode = await webp();
  const { width, height, data } = await decode(bytes.slice().buffer);
  return { width, height, data };
}

const newJpeg = lazily(async () => {
  const [{ default: start }, wasm] = await Promise.all([
    import('@jsquash/jpeg/codec/dec/mozjpeg_dec.js'),
    import('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm?url&inline'),
  ]);
  /** Warnings, and an error last. */
  const said: string[] = [];
  const printErr = (line: string) => void said.push(line);
  return { decoder: await start({ wasmBinary: inlined(wasm), printErr }), said };
});
let jpeg: ReturnType<typeof newJpeg> | undefined;

/**
 * Decodes a JPEG to the values that Chromium has; as stored, whatever its orientation. Like browsers, it reads damaged values,
 * but no file that ends early.
 * @throws Error if it is damaged; Failure `bad-file` if its colours are those of print
 */
export async function decodeJpeg(bytes: Uint8Array): Promise<Picture> {
  const { decoder, said } = await (jpeg ??= newJpeg());
  said.length = 0;
  let picture: Picture | null = null;
  try {
    picture = decoder.decode(bytes, false);
  } catch {
    // An error ends the program, and what it took stays taken.
    jpeg = undefined;
  }
  const early = said.find((line) => line.startsWith('Premature end'));
  if (picture && early === undefined)
    return { width: picture.width, height: picture.height, data: picture.data };
  if (said.at(-1)?.startsWith('Unsupported color conversion'))
    throw new Failure(
      'bad-file',
      'is a JPEG in CMYK, the colours of print, which only the page reads. Save it in RGB, or import it in the page',
    );
  throw new Error(early ?? said.at(-1) ?? 'no picture');
}
