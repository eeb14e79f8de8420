/** Reads the samples in this folder; see README.md. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

export const samplePath = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export const readSample = (name: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(samplePath(name)));

const ARRAYS = { Uint8Array, Uint32Array, Float32Array, Float64Array };

/** A JSON file, maybe gzipped, in which typed arrays are `{ $: 'Float32Array', base64 }`. */
export function readJsonSample<T>(name: string): T {
  const bytes = readFileSync(samplePath(name));
  const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  return JSON.parse(text, (_, value: unknown) => {
    const { $: kind, base64 } = (value ?? {}) as { $?: keyof typeof ARRAYS; base64?: string };
    if (kind === undefined || base64 === undefined) return value;
    return new ARRAYS[kind](Uint8Array.from(Buffer.from(base64, 'base64')).buffer);
  }) as T;
}

/** The inverse. */
export const jsonOf = (value: unknown): string =>
  JSON.stringify(
    value,
    (_, one: unknown) =>
      ArrayBuffer.isView(one)
        ? {
            $: one.constructor.name,
            base64: Buffer.from(one.buffer, one.byteOffset, one.byteLength).toString('base64'),
          }
        : one,
    2,
  );
