/**
 * Plain data with typed arrays as one file with a checksum. Little-endian throughout:
 *
 *     0  magic "wgradrun"
 *     8  u32 version, u32 length of the JSON
 *    16  u64 length of the file
 *    24  the JSON, padded with spaces to a multiple of 8; arrays are {"$": type, at, length}
 *        the arrays, each at a multiple of 8 bytes after the JSON, padded with zeros SHA-256 of everything before
 */
import { badFile } from '../base/bytes.ts';
import { assert } from '../base/assert.ts';
import { sha256 } from '../base/sha256.ts';

const MAGIC = 'wgradrun';
const VERSION = 1;
const HEAD_BYTES = 24;
const DIGEST_BYTES = 32;

const ARRAYS = { f32: Float32Array, u32: Uint32Array, u8: Uint8Array };
type ArrayType = keyof typeof ARRAYS;
type Packable = InstanceType<(typeof ARRAYS)[ArrayType]>;

const typeOf = (value: unknown): ArrayType | undefined =>
  (Object.keys(ARRAYS) as ArrayType[]).find((type) => value instanceof ARRAYS[type]);

const padded = (bytes: number): number => Math.ceil(bytes / 8) * 8;

/** @param value plain data; undefined values are omitted */
export async function pack(value: unknown): Promise<Uint8Array<ArrayBuffer>> {
  const arrays: { array: Packable; at: number }[] = [];
  let end = 0;
  const json = new TextEncoder().encode(
    JSON.stringify(value, (key, inner: unknown) => {
      const type = typeOf(inner);
      if (type) {
        const array = inner as Packable;
        arrays.push({ array, at: end });
        const place = { $: type, at: end, length: array.length };
        end += padded(array.byteLength);
        return place;
      }
      assert(typeof inner !== 'number' || Number.isFinite(inner), `"${key}" is ${String(inner)}`);
      return inner;
    }),
  );
  const start = HEAD_BYTES + padded(json.length);
  const bytes = new Uint8Array(start + end + DIGEST_BYTES);
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode(MAGIC));
  view.setUint32(8, VERSION, true);
  view.setUint32(12, json.length, true);
  view.setBigUint64(16, BigInt(bytes.length), true);
  bytes.fill(0x20, HEAD_BYTES, start);
  bytes.set(json, HEAD_BYTES);
  for (const { array, at } of arrays) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), start + at);
  }
  bytes.set(await sha256(bytes.subarray(0, -DIGEST_BYTES)), bytes.length - DIGEST_BYTES);
  return bytes;
}

/**
 * Returns the packed data. The arrays are copies.
 * @param name the file's, for messages
 * @throws Failure('bad-file') with the reason if the file is of another kind, truncated, or altered
 */
export async function unpack(name: string, bytes: Uint8Array): Promise<unknown> {
  const magic = new TextDecoder().decode(bytes.subarray(0, MAGIC.length));
  if (magic !== MAGIC) {
    throw badFile(name, 0, `expected a checkpoint, which starts with "${MAGIC}"`);
  }
  const least = HEAD_BYTES + DIGEST_BYTES;
  if (bytes.length < least) {
    throw badFile(name, bytes.length, `the file is cut: expected ${least} bytes and more`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getUint32(8, true);
  if (version !== VERSION) {
    throw badFile(name, 8, `expected version ${VERSION} of the format, found ${version}`);
  }
  const length = Number(view.getBigUint64(16, true));
  if (bytes.length !== length) {
    const how = bytes.length < length ? 'cut' : 'too long';
    throw badFile(name, bytes.length, `the file is ${how}: expected ${length} bytes, found ${bytes.length}`);
  }
  const digest = await sha256(bytes.subarray(0, -DIGEST_BYTES));
  if (digest.some((byte, i) => byte !== bytes[length - DIGEST_BYTES + i])) {
    throw badFile(
      name,
      length - DIGEST_BYTES,
      'the file was altered: its bytes have another SHA-256 than it says',
    );
  }
  const jsonBytes = view.getUint32(12, true);
  const start = HEAD_BYTES + padded(jsonBytes);
  const text = new TextDecoder().decode(bytes.subarray(HEAD_BYTES, HEAD_BYTES + jsonBytes));
  return JSON.parse(text, (_, inner: unknown) => {
    const place = asPlace(inner);
    if (!place) return inner;
    const kind = ARRAYS[place.$];
    const at = start + place.at;
    // Not slice(), which Node's buffers override.
    const copy = Uint8Array.from(bytes.subarray(at, at + place.length * kind.BYTES_PER_ELEMENT));
    return new kind(copy.buffer);
  });
}

function asPlace(value: unknown): { $: ArrayType; at: number; length: number } | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, '$')) return undefined;
  return value as { $: ArrayType; at: number; length: number };
}
