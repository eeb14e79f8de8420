/**
 * Plain data with typed arrays as a safetensors file with a checksum. The arrays are tensors, named by their place in the
 * data ("snapshot.parameters"); the tensor "json" has the rest, where an array is {"$": its name}; the last tensor,
 * "sha256", is the SHA-256 of all bytes before it.
 */
import { badFile, ByteReader } from '../base/bytes.ts';
import { assert } from '../base/assert.ts';
import { parsePlainJson } from '../base/plain-json.ts';
import { Failure } from '../base/result.ts';
import { sha256 } from '../base/sha256.ts';
import {
  MAX_HEADER_BYTES,
  readArrays,
  writeSafetensors,
  type TensorArray,
} from '../data/formats/safetensors.ts';

/** Of the metadata. */
export const FORMAT = 'wgrad';
const VERSION = '2';
const JSON_TENSOR = 'json';
const DIGEST = 'sha256';
const DIGEST_BYTES = 32;
/** With this, files of versions before 1.0 begin. */
const MAGIC_BEFORE = 'wgradrun';

const otherVersion = (name: string, found = 'none'): Failure =>
  badFile(
    name,
    8,
    `expected version ${VERSION} of the format, found ${found}`,
    'Open it with the version of wgrad that wrote it.',
  );

/** @param value plain data; undefined values are omitted */
export async function pack(value: unknown): Promise<Uint8Array<ArrayBuffer>> {
  const tensors = new Map<string, { shape: [number]; data: TensorArray }>();
  const add = (name: string, data: TensorArray) => void tensors.set(name, { shape: [data.length], data });
  const plain = (inner: unknown, path: string): unknown => {
    if (ArrayBuffer.isView(inner)) {
      add(path, inner as TensorArray);
      return { $: path };
    }
    assert(typeof inner !== 'number' || Number.isFinite(inner), `"${path}" is ${String(inner)}`);
    if (typeof inner !== 'object' || inner === null) return inner;
    const within = (key: string | number) => (path === '' ? `${key}` : `${path}.${key}`);
    if (Array.isArray(inner)) return inner.map((one, i) => plain(one, within(i)));
    return Object.fromEntries(Object.entries(inner).map(([key, one]) => [key, plain(one, within(key))]));
  };
  const json = JSON.stringify(plain(value, ''));
  add(JSON_TENSOR, new TextEncoder().encode(json));
  add(DIGEST, new Uint8Array(DIGEST_BYTES));
  const bytes = writeSafetensors(
    tensors,
    new Map([
      ['format', FORMAT],
      ['version', VERSION],
    ]),
  );
  bytes.set(await sha256(bytes.subarray(0, -DIGEST_BYTES)), bytes.length - DIGEST_BYTES);
  return bytes;
}

/**
 * Returns the packed data. The arrays are copies.
 * @param name the file's, for messages
 * @throws Failure('bad-file') with the reason if the file is of another kind, truncated, or altered
 */
export async function unpack(name: string, bytes: Uint8Array): Promise<unknown> {
  if (new TextDecoder().decode(bytes.subarray(0, MAGIC_BEFORE.length)) === MAGIC_BEFORE)
    throw otherVersion(name, '1');
  const { arrays, metadata } = readArrays(name, bytes);
  if (metadata.get('format') !== FORMAT || [...arrays.keys()].at(-1) !== DIGEST) {
    throw badFile(name, 8, `expected a file that wgrad packed, with the format "${FORMAT}"`);
  }
  const version = metadata.get('version');
  if (version !== VERSION) {
    throw otherVersion(name, version?.slice(0, 20));
  }
  await requireDigest(name, bytes);
  const json = arrays.get(JSON_TENSOR);
  return parsed(name, json instanceof Uint8Array ? json : new Uint8Array(), ({ $: at }) =>
    arrays.get(String(at)),
  );
}

/**
 * The packed data without their arrays, which stay {"$": name}, from the bytes that hold them alone. Nothing is checked: it
 * is for lists, which show what `unpack` will find.
 * @param read the file's bytes from `start` to `end`
 * @throws Failure('bad-file') if there is nothing of the kind
 */
export async function unpackWithoutArrays(
  name: string,
  read: (start: number, end: number) => Promise<Uint8Array | undefined>,
): Promise<unknown> {
  try {
    const textAt = async (start: number, end: number) => new TextDecoder().decode(await read(start, end));
    const headerBytes = new ByteReader(name, (await read(0, 8)) ?? new Uint8Array()).u64le('its length');
    if (headerBytes > MAX_HEADER_BYTES) throw new Error(`a header of ${headerBytes} bytes`);
    const start = 8 + headerBytes;
    const header = JSON.parse(await textAt(8, start)) as Record<string, { data_offsets: [number, number] }>;
    const [begin, end] = header[JSON_TENSOR].data_offsets;
    return parsePlainJson(await textAt(start + begin, start + end));
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw badFile(name, 0, `expected a file that wgrad packed: ${(error as Error).message.slice(0, 100)}`);
  }
}

/** @throws Failure('bad-file') unless the file ends with the SHA-256 of what is before it */
async function requireDigest(name: string, bytes: Uint8Array): Promise<void> {
  const at = bytes.length - DIGEST_BYTES;
  const digest = await sha256(bytes.subarray(0, at));
  if (digest.every((byte, i) => byte === bytes[at + i])) return;
  throw badFile(name, at, 'the file was altered: its bytes have another SHA-256 than it says');
}

/** @param arrayAt the array that an object with "$" stands for; undefined if there is none */
function parsed(
  name: string,
  json: Uint8Array,
  arrayAt: (place: { $: unknown }) => TensorArray | undefined,
): unknown {
  try {
    return parsePlainJson(new TextDecoder().decode(json), (_, inner) => {
      if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, '$')) return inner;
      const array = arrayAt(inner as { $: unknown });
      if (!array) throw badFile(name, 0, `expected an array for ${JSON.stringify(inner).slice(0, 60)}`);
      return array;
    });
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw badFile(name, 0, `expected JSON: ${(error as Error).message.slice(0, 100)}`);
  }
}
