/** The weights of a layers model: a manifest that says where each lies in the bytes of the shards. */
import { fromHalf } from '../../base/half.ts';
import { Failure } from '../../base/result.ts';
import { elements, type Shape } from '../../base/shape.ts';
import type { JsonPlace } from '../../base/json-place.ts';
import type { KerasTensor } from '../../ops/keras.ts';
import type { Budget } from '../budget.ts';

/** The most tensors and shards of a file. */
const MOST = 10_000;
/** The largest size of a tensor along one axis. */
const MAX_SIZE = 2 ** 31;

/** How the values of a type lie in the bytes. */
interface Stored {
  bytes: number;
  get(view: DataView, offset: number): number;
}

const TYPES: ReadonlyMap<string, Stored> = new Map([
  ['float32', { bytes: 4, get: (view: DataView, at: number) => view.getFloat32(at, true) }],
  ['float16', { bytes: 2, get: (view: DataView, at: number) => fromHalf(view.getUint16(at, true)) }],
  ['int32', { bytes: 4, get: (view: DataView, at: number) => view.getInt32(at, true) }],
  ['uint16', { bytes: 2, get: (view: DataView, at: number) => view.getUint16(at, true) }],
  ['uint8', { bytes: 1, get: (view: DataView, at: number) => view.getUint8(at) }],
  ['bool', { bytes: 1, get: (view: DataView, at: number) => view.getUint8(at) }],
]);

/** A group of the manifest: its shards, and the tensors that their bytes are. */
interface Group {
  paths: readonly string[];
  tensors: readonly { name: string; shape: Shape; bytes: number; read(bytes: Uint8Array): KerasTensor }[];
}

/** @throws Failure `bad-file` with the place of what is wrong */
export const readManifest = (manifest: JsonPlace): Group[] =>
  manifest.items('groups of weights', 0, MOST).map((group) => ({
    paths: group
      .at('paths')
      .items('names of files', 0, MOST)
      // Only files beside model.json.
      .map((path) => path.text('the name of a file in the same folder', /[\w.@() -]*[\w@()-]/, 200)),
    tensors: group
      .at('weights')
      .items('weights', 0, MOST)
      .map((one) => tensorAt(one)),
  }));

function tensorAt(place: JsonPlace): Group['tensors'][number] {
  const name = place.at('name').text('the name of a tensor', undefined, 500);
  const shape = place
    .at('shape')
    .items('sizes', 0, 8)
    .map((size) => size.whole(0, MAX_SIZE));
  const quantization = place.at('quantization');
  const dtype = quantization.isAbsent ? place.at('dtype') : quantization.at('dtype');
  const type = TYPES.get(dtype.text('a type of numbers', undefined, 100));
  if (!type) throw dtype.bad(`expected one of ${[...TYPES.keys()].join(', ')}`);
  const scaled = !quantization.at('scale').isAbsent;
  const [scale, least] = scaled
    ? [quantization.at('scale').number(-1e30, 1e30), quantization.at('min').number(-1e30, 1e30)]
    : [1, 0];
  const count = shape.reduce((product, size) => product * size, 1);
  return {
    name,
    shape,
    // Beyond 2^53, the number is not exact, but larger than any file.
    bytes: count * type.bytes,
    read(bytes) {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const data = new Float32Array(count);
      for (let i = 0; i < count; i++) data[i] = type.get(view, i * type.bytes) * scale + least;
      return { shape, data };
    },
  };
}

/**
 * The tensors by name; each is read when it is asked for.
 * @param shards the files' bytes by name
 * @param budget several layers may ask for the same one
 * @throws Failure `not-found` if a shard is missing, `bad-file` if their sizes are not those of the manifest
 */
export function tensorsIn(
  file: string,
  groups: readonly Group[],
  shards: ReadonlyMap<string, Uint8Array>,
  budget: Budget,
): Map<string, () => KerasTensor> {
  const tensors = new Map<string, () => KerasTensor>();
  const used = new Set<string>();
  for (const { paths, tensors: own } of groups) {
    for (const path of paths) {
      // A small file could otherwise stand for any number of bytes.
      if (used.has(path)) throw new Failure('bad-file', `${file}: its weights name the file ${path} twice`);
      used.add(path);
    }
    const parts = paths.map((path) => {
      const bytes = shards.get(path);
      if (bytes) return bytes;
      throw new Failure(
        'not-found',
        `${file}: its weights in ${path} are missing`,
        'Choose all files of the folder together: model.json and the .bin files.',
      );
    });
    const found = parts.reduce((sum, part) => sum + part.length, 0);
    const expected = own.reduce((sum, { bytes }) => sum + bytes, 0);
    if (found !== expected) {
      const [first, ...more] = paths;
      const which = more.length > 0 ? `${first} and ${more.length} more files` : (first ?? 'no file');
      throw new Failure(
        'bad-file',
        `${file}: expected ${expected} bytes of weights, found ${found} in ${which}`,
        'Download it once more.',
      );
    }
    const whole = parts.length === 1 ? parts[0] : joined(parts, found);
    let at = 0;
    for (const { name, shape, bytes, read } of own) {
      const start = at;
      at += bytes;
      if (tensors.has(name))
        throw new Failure('bad-file', `${file}: there are two tensors "${name.slice(0, 100)}"`);
      tensors.set(name, () => {
        budget.take(4 * elements(shape), `tensor "${name.slice(0, 100)}"`);
        return read(whole.subarray(start, start + bytes));
      });
    }
  }
  return tensors;
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
