/**
 * Reads the tensors of files that `torch.save` wrote: a zip archive of a pickle and the bytes of each storage, or the form
 * before PyTorch 1.6, several pickles and the bytes after them. Nothing of a file is run.
 */
import { badFile, ByteReader } from '../../base/bytes.ts';
import { fromBfloat, fromHalf } from '../../base/half.ts';
import { Failure } from '../../base/result.ts';
import { elements, type Shape } from '../../base/shape.ts';
import { isZip, readZip } from '../../data/formats/zip.ts';
import type { StateDict } from '../../engine/parameters.ts';
import { Budget } from '../budget.ts';
import {
  Global,
  Made,
  readPickle,
  Unknown,
  type Pickled,
  type PickleMeaning,
} from '../../data/formats/pickle.ts';

export interface TorchFile {
  /** Of the state dict, under their names in it. */
  tensors: StateDict;
  /** Keys that lead to the state dict in the file: ["model"]. */
  path: readonly string[];
  /** What the file has besides and was not read: ["argparse.Namespace"]. */
  leftOut: readonly string[];
}

/**
 * The state dict in a file: what `torch.save(model.state_dict())` wrote, or a dict that has one, such as a checkpoint.
 * @param file its name, for messages
 * @throws Failure `bad-file` if it is damaged or holds no tensors, `unsupported` with the name of what is needed and not
 *   read: a module, or a tensor that is sparse or quantised
 */
export async function readTorch(file: string, bytes: Uint8Array): Promise<TorchFile> {
  const unknown = new Set<string>();
  let firstUnknown: Failure | undefined;
  const meaning: PickleMeaning = {
    ...MEANING,
    unknown(name, failure) {
      firstUnknown ??= failure();
      unknown.add(name);
    },
  };
  const { root, storages } = isZip(bytes)
    ? await readArchive(file, bytes, meaning)
    : readLegacy(file, bytes, meaning);
  const found = stateDictIn(root);
  if (!found)
    throw firstUnknown ?? new Failure('bad-file', `${file}: expected a state dict of tensors, found none`);
  const { dict, path } = found;
  for (const [key, value] of dict) {
    if (!(value instanceof Unknown)) continue;
    const which = typeof key === 'string' ? key.slice(0, 100) : '';
    if (/\b(weight|bias|running_\w+)$/.test(which)) {
      throw new Failure(
        'unsupported',
        `${file}, tensor "${which}": made by ${value.name.slice(0, 100)}, which wgrad does not read`,
        'Save dense tensors of floating-point numbers.',
      );
    }
  }
  const tensors = new Map<string, View>();
  collect(dict, '', tensors, new Set(), MAX_DEPTH);
  await storages([...tensors.values()].map(({ storage }) => storage));
  const stored = new Set([...tensors.values()].map(({ storage }) => storage.bytes));
  const budget = new Budget(
    file,
    [...stored].reduce((sum, one) => sum + (one?.length ?? 0), bytes.length),
  );
  // Any number of them may be views of the same numbers.
  for (const [name, { shape }] of tensors) budget.take(4 * elements(shape), `tensor "${name.slice(0, 100)}"`);
  return { tensors, path, leftOut: [...unknown] };
}

/** How one number of each type is stored. Whole numbers become float32, too. */
const TYPES: ReadonlyMap<string, { bytes: number; get(view: DataView, at: number): number }> = new Map([
  ['Float', { bytes: 4, get: (view: DataView, at: number) => view.getFloat32(at, true) }],
  ['Double', { bytes: 8, get: (view: DataView, at: number) => view.getFloat64(at, true) }],
  ['Half', { bytes: 2, get: (view: DataView, at: number) => fromHalf(view.getUint16(at, true)) }],
  ['BFloat16', { bytes: 2, get: (view: DataView, at: number) => fromBfloat(view.getUint16(at, true)) }],
  ['Long', { bytes: 8, get: (view: DataView, at: number) => Number(view.getBigInt64(at, true)) }],
  ['Int', { bytes: 4, get: (view: DataView, at: number) => view.getInt32(at, true) }],
  ['Short', { bytes: 2, get: (view: DataView, at: number) => view.getInt16(at, true) }],
  ['Char', { bytes: 1, get: (view: DataView, at: number) => view.getInt8(at) }],
  ['Byte', { bytes: 1, get: (view: DataView, at: number) => view.getUint8(at) }],
  ['Bool', { bytes: 1, get: (view: DataView, at: number) => view.getUint8(at) }],
]);

/** Numbers that tensors are views of. */
class Storage extends Made {
  readonly kind = 'storage';
  /** Its bytes, once they are read. */
  bytes: Uint8Array | undefined;

  constructor(
    readonly type: { bytes: number; get(view: DataView, at: number): number },
    readonly key: string,
    /** Numbers in it. */
    readonly count: number,
  ) {
    super();
  }
}

const MAX_RANK = 8;

/** A tensor, whose values are copied when they are asked for. */
class View extends Made {
  readonly kind = 'tensor';
  private copied: Float32Array | undefined;

  constructor(
    readonly storage: Storage,
    readonly offset: number,
    readonly shape: Shape,
    readonly strides: readonly number[],
  ) {
    super();
  }

  get data(): Float32Array {
    this.copied ??= this.copy();
    return this.copied;
  }

  private copy(): Float32Array {
    const { storage, shape, strides, offset } = this;
    const { type, bytes = new Uint8Array() } = storage;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const out = new Float32Array(elements(shape));
    const place = shape.map(() => 0);
    let at = offset;
    for (let i = 0; i < out.length; i++) {
      out[i] = type.get(view, at * type.bytes);
      // The next place, last dimension fastest.
      for (let axis = shape.length - 1; axis >= 0; axis--) {
        at += strides[axis];
        if (++place[axis] < shape[axis]) break;
        at -= strides[axis] * shape[axis];
        place[axis] = 0;
      }
    }
    return out;
  }
}

const isSize = (value: Pickled): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isSizes = (value: Pickled): value is readonly number[] =>
  Array.isArray(value) && value.length <= MAX_RANK && (value as readonly Pickled[]).every(isSize);

/** The functions that state dicts call. */
const CALLS: Readonly<Record<string, (words: readonly Pickled[]) => Pickled | undefined>> = {
  'collections.OrderedDict': ([pairs = []]) => orderedDict(pairs),
  'torch.Size': ([sizes]) => sizes,
  'torch._utils._rebuild_tensor': tensorOf,
  'torch._utils._rebuild_tensor_v2': tensorOf,
  'torch._utils._rebuild_parameter': ([tensor]) => (tensor instanceof View ? tensor : undefined),
};

const STORAGE = /^torch\.(\w+)Storage$/;

const MEANING: Omit<PickleMeaning, 'unknown'> = {
  knows: (name) => Object.hasOwn(CALLS, name) || TYPES.has(STORAGE.exec(name)?.[1] ?? ''),
  call: (name, words) => (Object.hasOwn(CALLS, name) ? CALLS[name](words) : undefined),
  load: (id) => {
    if (!Array.isArray(id)) return undefined;
    const [kind, global, key, , count] = id as readonly Pickled[];
    if (kind !== 'storage' || !(global instanceof Global) || typeof key !== 'string' || !isSize(count))
      return undefined;
    const type = TYPES.get(STORAGE.exec(global.name)?.[1] ?? '');
    return type && new Storage(type, key, count);
  },
};

function orderedDict(pairs: Pickled): Pickled | undefined {
  if (!Array.isArray(pairs)) return undefined;
  const dict = new Map<Pickled, Pickled>();
  for (const pair of pairs as readonly Pickled[]) {
    if (!Array.isArray(pair) || pair.length !== 2) return undefined;
    dict.set(pair[0] as Pickled, pair[1] as Pickled);
  }
  return dict;
}

/** A view inside of its storage, with no more values than that has. */
function tensorOf([storage, offset, sizes, strides]: readonly Pickled[]): View | undefined {
  if (!(storage instanceof Storage) || !isSize(offset) || !isSizes(sizes) || !isSizes(strides))
    return undefined;
  if (sizes.length !== strides.length) return undefined;
  const empty = sizes.includes(0);
  const last = sizes.reduce((sum, size, i) => sum + (size - 1) * strides[i], offset);
  // Step by step, since a later 0 would hide an overflow.
  const count = sizes.reduce((product, size) => Math.min(product * Math.max(size, 1), 2 ** 53), 1);
  if (!empty && (last >= storage.count || count > storage.count)) return undefined;
  return new View(storage, offset, sizes, strides);
}

interface Contents {
  root: Pickled;
  /** Reads the bytes of storages. @throws Failure `bad-file` if one is missing or of another length */
  storages(wanted: readonly Storage[]): Promise<void>;
}

/** What an archive may have besides the bytes that it stores: PyTorch compresses nothing, and others may a little. */
const MORE_BYTES = 2 ** 26;
const MAX_FILES = 65_000;

async function readArchive(file: string, bytes: Uint8Array, meaning: PickleMeaning): Promise<Contents> {
  const entries = readZip(file, bytes, { files: MAX_FILES, bytes: bytes.length + MORE_BYTES });
  const pickle = entries.find(({ path }) => /^([^/]+\/)?data\.pkl$/.test(path));
  if (!pickle)
    throw new Failure(
      'bad-file',
      `${file}: expected an archive written by PyTorch, with data.pkl in a folder`,
    );
  const folder = pickle.path.slice(0, -'data.pkl'.length);
  const at = (name: string) => entries.find(({ path }) => path === folder + name);
  if (at('constants.pkl')) {
    throw new Failure(
      'unsupported',
      `${file}: a TorchScript program, not a state dict`,
      'Save the state dict: torch.save(model.state_dict(), FILE).',
    );
  }
  const order = await at('byteorder')?.read();
  if (order && new TextDecoder().decode(order) !== 'little')
    throw new Failure('unsupported', `${file}: expected little-endian numbers`);
  const root = readPickle(new ByteReader(`${file}, ${pickle.path}`, await pickle.read()), meaning);
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  return {
    root,
    async storages(wanted) {
      const read = new Map<string, Uint8Array>();
      for (const storage of wanted) {
        const path = `${folder}data/${storage.key}`;
        const entry = byPath.get(path);
        requireLength(file, path, storage, entry?.bytes ?? 0);
        const found = read.get(path) ?? (await entry?.read()) ?? new Uint8Array();
        read.set(path, found);
        storage.bytes = found;
      }
    },
  };
}

function requireLength(file: string, path: string, { count, type }: Storage, found: number): void {
  if (found !== count * type.bytes)
    throw badFile(file, 0, `expected ${count * type.bytes} bytes in ${path}, found ${found}`);
}

/** PyTorch's number for the form before 1.6. */
const MAGIC = 0x1950a86a20f9469cfc6cn;
const LEGACY_PROTOCOL = 1001;

function readLegacy(file: string, bytes: Uint8Array, meaning: PickleMeaning): Contents {
  const reader = new ByteReader(file, bytes);
  if (bytes[0] !== 0x80)
    throw reader.bad('expected a file written by torch.save: a zip archive, or pickles', 0);
  const magic = readPickle(reader, meaning);
  if (magic !== MAGIC) throw reader.bad('expected a file written by torch.save: its magic number differs', 0);
  const protocol = readPickle(reader, meaning);
  if (protocol !== LEGACY_PROTOCOL)
    throw reader.bad(`expected version ${LEGACY_PROTOCOL}, found ${String(protocol).slice(0, 20)}`);
  const system = readPickle(reader, meaning);
  if (!(system instanceof Map) || system.get('little_endian') !== true)
    throw new Failure('unsupported', `${file}: expected little-endian numbers`);
  const known = new Map<string, Storage>();
  const root = readPickle(reader, {
    ...meaning,
    load: (id) => {
      const storage = meaning.load(id);
      if (!(storage instanceof Storage)) return undefined;
      const before = known.get(storage.key);
      if (before && (before.count !== storage.count || before.type !== storage.type)) return undefined;
      known.set(storage.key, before ?? storage);
      return before ?? storage;
    },
  });
  const keys = readPickle(reader, meaning);
  if (!Array.isArray(keys)) throw reader.bad('expected the keys of storages');
  for (const key of keys as readonly Pickled[]) {
    const storage = typeof key === 'string' ? known.get(key) : undefined;
    if (!storage) throw reader.bad('lists a storage that no tensor uses');
    const count = reader.u64le('the length of a storage');
    if (count !== storage.count)
      throw reader.bad(`expected a storage of ${storage.count} numbers, found ${count}`);
    storage.bytes = reader.take(count * storage.type.bytes, `storage ${storage.key.slice(0, 20)}`);
  }
  return {
    root,
    storages(wanted) {
      const missing = wanted.find((storage) => !storage.bytes);
      if (missing)
        throw new Failure(
          'bad-file',
          `${file}: the bytes of storage ${missing.key.slice(0, 20)} are missing`,
        );
      return Promise.resolve();
    },
  };
}

type Dict = ReadonlyMap<Pickled, Pickled>;

/** Keys of state dicts in checkpoints, the usual ones first. */
const KEYS = [
  'average',
  'state_dict',
  'model_state_dict',
  'model',
  'module',
  'net',
  'network',
  'params',
  'weights',
];

const hasTensors = (dict: Dict): boolean => [...dict.values()].some((value) => value instanceof View);

/** Whether a dict's own tensors are numbers, such as the best accuracy, beside a state dict. */
const isCheckpoint = (dict: Dict): boolean =>
  KEYS.some((key) => dict.get(key) instanceof Map) &&
  [...dict.values()].every((value) => !(value instanceof View) || elements(value.shape) === 1);

/** The first dict with tensors, depth first, and the keys that lead to it. */
function stateDictIn(root: Pickled): { dict: Dict; path: readonly string[] } | undefined {
  interface Step {
    key: string;
    before: Step | undefined;
  }
  const ahead: { value: Pickled; step: Step | undefined }[] = [{ value: root, step: undefined }];
  const seen = new Set<Pickled>();
  for (let next = ahead.pop(); next; next = ahead.pop()) {
    const { value: dict, step } = next;
    if (!(dict instanceof Map) || seen.has(dict)) continue;
    seen.add(dict);
    if (hasTensors(dict) && !isCheckpoint(dict)) {
      const path: string[] = [];
      for (let at = step; at; at = at.before) path.unshift(at.key);
      return { dict, path };
    }
    const others = [...dict.keys()].filter((key) => typeof key === 'string' && !KEYS.includes(key));
    for (const key of [...KEYS, ...(others as string[])].toReversed())
      if (dict.get(key) instanceof Map)
        ahead.push({ value: dict.get(key) as Pickled, step: { key, before: step } });
  }
  return undefined;
}

/** Dicts inside one another whose tensors are read. */
const MAX_DEPTH = 16;

/** Tensors by their names; those of dicts in it have both names, with a dot. @param seen dicts that were read */
function collect(dict: Dict, before: string, found: Map<string, View>, seen: Set<Dict>, depth: number): void {
  // Each dict once: one that contains itself, or is shared by many, would have no end.
  if (seen.has(dict) || depth === 0) return;
  seen.add(dict);
  for (const [key, value] of dict) {
    if (typeof key !== 'string') continue;
    if (value instanceof View) found.set(before + key, value);
    else if (value instanceof Map) collect(value, `${before}${key}.`, found, seen, depth - 1);
  }
}
